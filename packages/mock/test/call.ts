import type { Connection } from "../src/index.ts";

/** A response in the form that tests need. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON, or the text if it is not JSON. */
  readonly body: unknown;
}

/** A request in the form of tests: a body that is not a string is sent as JSON; `key: null` sends none. */
export interface Call {
  readonly body?: unknown;
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

/** For tests: `call("POST /books", { body: { title: "Emma" } })`. */
export function caller({ baseUrl, apiKey, fetch }: Connection): (route: string, call?: Call) => Promise<Received> {
  return async (route, { body, key = apiKey, headers = {} } = {}) => {
    const [method = "GET", path = ""] = route.split(" ");
    const raw = typeof body === "string" || body instanceof Blob;
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json(;|$)/.test(response.headers.get("content-type") ?? "") && text !== "";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}
