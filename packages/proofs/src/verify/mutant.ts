import { createRouter } from "@trainyard/host";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import type { Document, Operation } from "@trainyard/document";

/** A response on its way through the proxy. A seed changes it in place. */
export interface Passing {
  status: number;
  readonly headers: Headers;
  text: string;
}

/** A request as the proxy sees it. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
  /** Sends another request to the service itself. */
  readonly forward: (change: { method?: string; url?: URL; headers?: Headers; body?: unknown }) => Promise<Passing>;
  /** The state of this seed between requests. */
  readonly memory: Map<string, unknown>;
}

/** One way in which a service may diverge from its contract. */
export interface Seed {
  readonly title: string;
  readonly service: "training" | "inference" | "auxiliary";
  /** The operation whose responses are changed; `*` for every response of the service. */
  readonly operation: string;
  /** The status of the responses that are changed. Default: every success; `any` for all. */
  readonly status?: number | "any";
  /** Whether only writing requests show it. */
  readonly write?: boolean;
  /** What a finding must contain, in its location, its sentence or the seen value. */
  readonly names: RegExp;
  /** The required verdict of a finding. Default: `contradicts`. */
  readonly certainty?: "contradicts" | "not declared";
  change(answer: Passing, request: Received): void | Promise<void>;
}

/** A seed as a row: the service, its operation, and the status if it is not a success; `writing` if only writes show it. */
export interface SeedRow extends Pick<Seed, "title" | "names" | "certainty" | "change"> {
  readonly on: `${Seed["service"]} ${string}`;
}

/** The seed of a row. */
export function seedOf({ on, ...row }: SeedRow): Seed {
  const service = (["training", "inference", "auxiliary"] as const).find((name) => on.startsWith(`${name} `));
  const [, operation = "*", ...words] = on.split(" ");
  const status = words.includes("any") ? "any" : words.map(Number).find((word) => word > 0);
  if (service === undefined) throw new Error(`${on} names no service.`);
  return { ...row, service, operation, write: words.includes("writing"), ...(status !== undefined && { status }) };
}

/** A `fetch` with one seed that changes the service's responses. */
export function proxy(
  service: { readonly baseUrl: string; readonly fetch: typeof fetch; readonly document: Document },
  seed: Seed | undefined,
): typeof fetch {
  const route = createRouter(service.document.operations);
  const memory = new Map<string, unknown>();
  const base = new URL(service.baseUrl);
  const prefix = base.pathname.replace(/\/$/, "");
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const text = await request.text();
    const forward: Received["forward"] = async (change) => {
      const body = "body" in change ? JSON.stringify(change.body) : text;
      const method = change.method ?? request.method;
      const response = await service.fetch(change.url ?? url, {
        method,
        headers: change.headers ?? request.headers,
        ...(body !== "" && method !== "GET" && method !== "HEAD" && { body }),
        redirect: "manual",
      });
      return { status: response.status, headers: new Headers(response.headers), text: await response.text() };
    };
    const answer = await forward({});
    const found = route(url.pathname.slice(prefix.length));
    const operation = found?.operations.get(request.method === "HEAD" ? "GET" : request.method);
    if (seed !== undefined && concerns(seed, operation, answer)) {
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        body = undefined;
      }
      await seed.change(answer, { method: request.method, url, headers: request.headers, body, forward, memory });
    }
    const empty = answer.text === "" || request.method === "HEAD" || [204, 304].includes(answer.status);
    const made = new Response(empty ? null : answer.text, { status: answer.status });
    for (const name of Array.from(made.headers.keys())) made.headers.delete(name);
    for (const [name, value] of answer.headers) if (name !== "content-length") made.headers.append(name, value);
    return made;
  };
}

function concerns({ operation, status }: Seed, found: Operation | undefined, answer: Passing): boolean {
  if (operation !== "*" && found?.name !== operation) return false;
  if (status === "any") return true;
  return status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status;
}

/**
 * A seed that changes the JSON of a response. The returned value replaces it; undefined means that it was changed in place.
 */
export function json(change: (body: JsonObject, request: Received) => unknown): Seed["change"] {
  return (answer, request) => {
    let body: unknown;
    try {
      body = JSON.parse(answer.text);
    } catch {
      return;
    }
    if (!isObject(body) && !Array.isArray(body)) return;
    const made = Reflect.apply(change, undefined, [body, request]);
    answer.text = JSON.stringify(made ?? body);
  };
}

/** A seed that changes the events of a stream, given as the data of each. */
export function events(change: (data: string[], request: Received) => string[]): Seed["change"] {
  return (answer, request) => {
    if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return;
    const data = answer.text.split("\n\n").flatMap((block) => (block.startsWith("data: ") ? [block.slice(6)] : []));
    answer.text = change(data, request)
      .map((one) => `data: ${one}\n\n`)
      .join("");
  };
}

/** The objects in a list of a response. */
export function items(body: JsonObject, name = "data"): JsonObject[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
