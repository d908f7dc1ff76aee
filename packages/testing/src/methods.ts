import type { ApiPromise, CallOptions, EventStream, Operation, Page } from "@trainyard/core";
import { isObject } from "@trainyard/core/validation";
import type { Case } from "./documents.ts";

/** Any method of a client, called with only the knowledge of its document. */
export type Method = (body: unknown, options?: CallOptions) => ApiPromise<unknown>;

/**
 * The method of an operation: `models.checkpoints.list`, bound to path and query from the document's examples, or to the
 * given path parameters.
 */
export function methodOf(client: unknown, entry: Case, path?: string): Method {
  const steps = entry.operation.name.split(".");
  const method = steps.reduce<unknown>((space, step) => (isObject(space) ? space[step] : undefined), client);
  if (typeof method !== "function") throw new Error(`The client of ${entry.service} has no ${entry.operation.name}.`);
  return (body, options) => {
    const own = isQueryOption(entry) ? { ...options, query: exampleParameters(entry, "query") } : options;
    return Reflect.apply(method, undefined, [...argumentsOf(entry, body, path), own]);
  };
}

/** Whether a method takes its query among the options: if the query is optional and the operation has no pages. */
function isQueryOption({ operation: { parameters, pagination } }: Case): boolean {
  const query = parameters.filter((parameter) => parameter.in === "query");
  return query.length > 0 && pagination === undefined && !query.some(({ required }) => required);
}

/** The arguments of a method before its options: a path parameter, or several by name; the body; the query. */
function argumentsOf(entry: Case, body: unknown, given?: string): unknown[] {
  const examples = exampleParameters(entry, "path");
  const path = given === undefined ? examples : Object.fromEntries(Object.keys(examples).map((name) => [name, given]));
  const values = Object.values(path);
  const takesQuery = entry.operation.parameters.some((parameter) => parameter.in === "query") && !isQueryOption(entry);
  return [
    ...(values.length > 1 ? [path] : values),
    ...(entry.operation.body ? [body] : []),
    ...(takesQuery ? [exampleParameters(entry, "query")] : []),
  ];
}

/** The same call by path through `http`. */
export function byPath(client: unknown, entry: Case, path = entry.operation.path) {
  const http = isObject(client) && isObject(client["http"]) ? client["http"] : {};
  const send = http[entry.operation.method];
  if (typeof send !== "function") throw new Error(`The client of ${entry.service} has no http.`);
  const params = { path: exampleParameters(entry, "path"), query: exampleParameters(entry, "query") };
  return (body: unknown, init?: object): Promise<{ data?: unknown; error?: unknown; response: Response }> =>
    Reflect.apply(send, undefined, [path, { params, ...(entry.operation.body && { body }), ...init }]);
}

function exampleParameters({ operation }: Case, source: "path" | "query"): Record<string, unknown> {
  const own = operation.parameters.filter(({ in: where, example }) => where === source && example !== undefined);
  return Object.fromEntries(own.map(({ name, example }) => [name, example]));
}

/** The body that requests a stream from an operation. */
export function streaming({ stream }: Operation, body: unknown): unknown {
  return stream?.toggle !== undefined && isObject(body) ? { ...body, [stream.toggle]: true } : body;
}

export function isPage(value: unknown): value is Page<unknown> {
  return isObject(value) && Array.isArray(value["data"]) && typeof value["nextPage"] === "function";
}

export function isStream(value: unknown): value is EventStream<unknown, unknown> {
  return isObject(value) && typeof value["final"] === "function" && Symbol.asyncIterator in value;
}

/** All items of an iterable. Throws if the value is not iterable. */
export async function all(value: unknown): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of value as AsyncIterable<unknown>) items.push(item);
  return items;
}
