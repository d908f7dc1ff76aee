import type { ApiPromise, CallOptions, EventStream, Operation, Page } from "@trainyard/core";
import { isObject } from "@trainyard/core/validation";
import type { Case } from "./documents.ts";

/** Any method of a client, as it is called when nothing is known of it but its document. */
export type Method = (body: unknown, options?: CallOptions) => ApiPromise<unknown>;

/** The method of an operation: `models.checkpoints.list`. Path and query come from the document's examples, or each path parameter is as given. */
export function methodOf(client: unknown, entry: Case, path?: string): Method {
  const steps = entry.operation.name.split(".");
  const method = steps.reduce<unknown>((space, step) => (isObject(space) ? space[step] : undefined), client);
  if (typeof method !== "function") throw new Error(`The client of ${entry.service} has no ${entry.operation.name}.`);
  return (body, options) => {
    const own = isQueryOption(entry) ? { ...options, query: exampleParameters(entry, "query") } : options;
    return Reflect.apply(method, undefined, [...argumentsOf(entry, body, path), own]);
  };
}

/** Whether a method takes its query among the options: one that nobody has to give, but for pages. */
function isQueryOption({ operation: { parameters, pagination } }: Case): boolean {
  const query = parameters.filter((parameter) => parameter.in === "query");
  return query.length > 0 && pagination === undefined && !query.some(({ required }) => required);
}

/** What a method takes before its options: a path parameter, or several by name; the body; the query. */
function argumentsOf(entry: Case, body: unknown, given?: string): unknown[] {
  const examples = exampleParameters(entry, "path");
  const path = given === undefined ? examples : Object.fromEntries(Object.keys(examples).map((name) => [name, given]));
  const places = Object.values(path);
  const takesQuery = entry.operation.parameters.some((parameter) => parameter.in === "query") && !isQueryOption(entry);
  return [
    ...(places.length > 1 ? [path] : places),
    ...(entry.operation.body ? [body] : []),
    ...(takesQuery ? [exampleParameters(entry, "query")] : []),
  ];
}

/** The same by path, as `http` takes it. */
export function byPath(client: unknown, entry: Case, path = entry.operation.path) {
  const http = isObject(client) && isObject(client["http"]) ? client["http"] : {};
  const send = http[entry.operation.method];
  if (typeof send !== "function") throw new Error(`The client of ${entry.service} has no http.`);
  const params = { path: exampleParameters(entry, "path"), query: exampleParameters(entry, "query") };
  return (body: unknown, init?: object): Promise<{ data?: unknown; error?: unknown; response: Response }> =>
    Reflect.apply(send, undefined, [path, { params, ...(entry.operation.body && { body }), ...init }]);
}

function exampleParameters({ operation }: Case, source: "path" | "query"): Record<string, unknown> {
  const own = operation.parameters.filter(({ in: place, example }) => place === source && example !== undefined);
  return Object.fromEntries(own.map(({ name, example }) => [name, example]));
}

/** The body that asks an operation for a stream. */
export function streaming({ stream }: Operation, body: unknown): unknown {
  return stream && isObject(body) ? { ...body, [stream.toggle]: true } : body;
}

export function isPage(value: unknown): value is Page<unknown> {
  return isObject(value) && Array.isArray(value["data"]) && typeof value["nextPage"] === "function";
}

export function isStream(value: unknown): value is EventStream<unknown, unknown> {
  return isObject(value) && typeof value["final"] === "function" && Symbol.asyncIterator in value;
}

/** All that something gives when it is iterated over, or an error of the test where it cannot be. */
export async function all(value: unknown): Promise<unknown[]> {
  if (!isIterable(value)) throw new Error("It cannot be iterated over.");
  const items: unknown[] = [];
  for await (const item of value) items.push(item);
  return items;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
