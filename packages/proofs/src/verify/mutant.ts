import { createRouter } from "@trainyard/host";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import type { Document, Operation } from "@trainyard/document";

/** A response on its way through the proxy. A mutant changes it in place. */
export interface Passing {
  status: number;
  readonly headers: Headers;
  text: string;
  /** The bytes of the body, if they are not those of the text in UTF-8. */
  bytes?: Uint8Array<ArrayBuffer>;
}

type Changed = Readonly<Record<string, string | undefined>>;

/** How a request is sent to the service itself: with another body, other headers or query parameters; undefined removes one. */
interface Change {
  readonly body?: JsonObject;
  readonly headers?: Changed;
  readonly query?: Changed;
}

/** A request as the proxy sees it. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Empty if it is no object. */
  readonly body: JsonObject;
  readonly forward: (change: Change) => Promise<Passing>;
  /** The state of this mutant between requests. */
  readonly memory: Map<string, unknown>;
}

/** One way in which a service may diverge from its contract. */
export interface Mutant {
  readonly title: string;
  readonly service: "training" | "inference" | "auxiliary";
  /** The operation whose responses are changed; `*` for every response of the service. */
  readonly operation: string;
  /** The status of the responses that are changed. Default: every success; `any` for all. */
  readonly status?: number | "any";
  /** Whether only writing requests show it. */
  readonly write: boolean;
  /** What a finding must contain, in its location, its sentence or the seen value. */
  readonly names: RegExp;
  /** The required verdict of a finding. Default: `contradicts`. */
  readonly certainty?: "contradicts" | "not declared";
  change(answer: Passing, request: Received): void | Promise<void>;
}

/** What a response becomes; undefined removes a header. */
type Answer = Readonly<{ status?: number; text?: string; headers?: Changed }>;

/** A way to write a mutant: where, its title, what a finding names, and what it changes. */
type Written<Changed> = (on: `${Mutant["service"]} ${string}`, title: string, names: RegExp, change: Changed) => Mutant;

/**
 * A mutant that changes a response.
 *
 * @param on the service, its operation, and the status if it is not a success; `writing` if only writes show it
 */
export const raw: Written<Mutant["change"] | Answer> = (on, title, names, change) => {
  const service = (["training", "inference", "auxiliary"] as const).find((name) => on.startsWith(`${name} `));
  const [, operation = "*", ...words] = on.split(" ");
  const status: Mutant["status"] = words.includes("any") ? "any" : words.map(Number).find((word) => word > 0);
  if (service === undefined) throw new Error(`${on} names no service.`);
  const write = words.includes("writing");
  const made = { title, names, service, operation, write, ...(status !== undefined && { status }) };
  if (typeof change === "function") return { ...made, change };
  const { headers = {}, ...others } = change;
  return {
    ...made,
    change(answer) {
      Object.assign(answer, others);
      assign(answer.headers, headers);
    },
  };
};

/** A mutant that answers as the service itself does to another request; undefined leaves the response as it is. */
export const resent: Written<(request: Received) => Change | undefined> = (on, title, names, change) =>
  raw(on, title, names, async (answer, request) => {
    const changed = change(request);
    if (changed !== undefined) Object.assign(answer, await request.forward(changed));
  });

/** A mutant that changes the JSON of a response. The returned value replaces it; undefined means a change in place. */
export const json: Written<Edit<[Received]>> = (on, title, names, change) =>
  raw(on, title, names, (answer, request) => {
    const body = parsed(answer.text);
    if (!isObject(body) && !Array.isArray(body)) return;
    answer.text = JSON.stringify(edit(Object(body), change, request) ?? body);
  });

/** A mutant that changes the events of a stream, given as the data of each. */
export const events: Written<(data: string[]) => string[]> = (on, title, names, change) =>
  raw(on, title, names, (answer) => {
    if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return;
    const data = answer.text.split("\n\n").flatMap((block) => (block.startsWith("data: ") ? [block.slice(6)] : []));
    answer.text = change(data)
      .map((one) => `data: ${one}\n\n`)
      .join("");
  });

/** A mutant that changes each chunk of a chat completion in place. */
export const chunk: Written<(chunk: JsonObject, index: number) => void> = (on, title, names, change) =>
  events(on, title, names, (data) =>
    data.map((one, index) => {
      const value = parsed(one);
      if (!isObject(value)) return one;
      change(value, index);
      return JSON.stringify(value);
    }),
  );

type Empty = Readonly<Record<string, never>>;
type Value = string | number | boolean | null | undefined | readonly unknown[] | Empty | ((value: unknown) => unknown);

/** Values of members, or a function. A function of a member gets the value of before; undefined removes one. */
type Edit<Rest extends unknown[]> = Readonly<Record<string, Value>> | ((body: JsonObject, ...rest: Rest) => unknown);

/** Changes an object in place, unless the edit returns another one. */
export function edit<Rest extends unknown[]>(body: JsonObject, change: Edit<Rest>, ...rest: Rest): unknown {
  if (typeof change === "function") return change(body, ...rest);
  for (const [name, value] of Object.entries(change))
    body[name] = typeof value === "function" ? value(body[name]) : value;
  return undefined;
}

/** A change of each object in a list. */
export const each =
  (change: Edit<[]>, list = "data") =>
  (body: JsonObject): void => {
    for (const item of items(body, list)) edit(item, change);
  };

/** The objects in a list of a response. */
export function items(body: JsonObject, name = "data"): JsonObject[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sets headers or parameters; undefined removes one. */
function assign(all: Headers | URLSearchParams, changed: Changed): void {
  for (const [name, value] of Object.entries(changed))
    if (value === undefined) all.delete(name);
    else all.set(name, value);
}

/** A `fetch` with one mutant that changes the service's responses. */
export function proxy(
  service: { readonly baseUrl: string; readonly fetch: typeof fetch; readonly document: Document },
  mutant: Mutant | undefined,
): typeof fetch {
  const route = createRouter(service.document.operations);
  const memory = new Map<string, unknown>();
  const prefix = new URL(service.baseUrl).pathname.replace(/\/$/, "");
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, headers } = request;
    const url = new URL(request.url);
    const text = await request.text();
    const forward: Received["forward"] = async ({ body, headers: changed = {}, query = {} }) => {
      const target = new URL(url);
      const sent = new Headers(headers);
      assign(sent, changed);
      assign(target.searchParams, query);
      const content = body === undefined ? text : JSON.stringify(body);
      const hasBody = content !== "" && method !== "GET" && method !== "HEAD";
      const options = { method, headers: sent, ...(hasBody && { body: content }), redirect: "manual" as const };
      const response = await service.fetch(target, options);
      return { status: response.status, headers: new Headers(response.headers), text: await response.text() };
    };
    const answer = await forward({});
    const found = route(url.pathname.slice(prefix.length))?.operations.get(method === "HEAD" ? "GET" : method);
    if (mutant !== undefined && concerns(mutant, found, answer)) {
      const body = parsed(text);
      await mutant.change(answer, { method, url, headers, body: isObject(body) ? body : {}, forward, memory });
    }
    const empty = answer.text === "" || method === "HEAD" || [204, 304].includes(answer.status);
    const made = new Response(empty ? null : (answer.bytes ?? answer.text), { status: answer.status });
    for (const name of Array.from(made.headers.keys())) made.headers.delete(name);
    for (const [name, value] of answer.headers) if (name !== "content-length") made.headers.append(name, value);
    return made;
  };
}

function concerns({ operation, status }: Mutant, found: Operation | undefined, answer: Passing): boolean {
  if (operation !== "*" && found?.name !== operation) return false;
  if (status === "any") return true;
  return status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status;
}
