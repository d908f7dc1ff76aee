import { isObject } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";
import { createRouter } from "@trainyard/host";
import { applyMutation, arbitraryOf, mutationsOf, type Mutation } from "@trainyard/testing";
import { bodySchema, cases, packages, type Case } from "@trainyard/testing/services";
import * as fc from "fast-check";

/** A server, and how to reach it. */
interface Reached {
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** A random request, for any server of the document. */
export interface Sent {
  readonly method: string;
  /** Path and query, without the prefix of a server. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Sends a request to a server at an address, or to one in this process. */
export function send({ method, target, headers, body }: Sent, to: Reached): Promise<Response> {
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  return to.fetch(new Request(to.baseUrl + target, { method, headers, ...bytes }));
}

const routers = new Map(
  packages.map(({ name }) => [
    name,
    createRouter(cases.filter(({ service }) => service === name).map(({ operation }) => operation)),
  ]),
);

/** The operation that a request matches; undefined if there is none. */
export function operationAt(service: string, { method, target }: Sent): Operation | undefined {
  return routers
    .get(service)?.(target.split("?")[0] ?? "")
    ?.operations.get(method);
}

const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
/** Mostly the usual value, so that a request has one fault rather than many. */
const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const keys = often<string | undefined>(
  "Bearer a-key",
  undefined,
  "Bearer other",
  "bearer a-key",
  "Bearer",
  "Basic YXBpOmEta2V5",
  "Basic ?",
  "Token a-key",
);
const types = often<string | undefined>(
  "application/json",
  "application/json; charset=utf-8",
  "text/plain",
  "application/x-www-form-urlencoded",
  undefined,
);
const accepted = often<string | undefined>("application/json", undefined, "*/*", "text/event-stream", "text/html");
const texts = fc.constantFrom("", "1e2", "word", "-1", "0", "101", "1.5", "é", "true", "null");

/** Requests of an operation: valid ones, and others with one or more faults. */
export function requestsOf(entry: Case): fc.Arbitrary<Sent> {
  const { document, operation, fits } = entry;
  const valuesOf = (source: string) =>
    operation.parameters
      // An object is sent as parameters with the names of its properties, and its own name is none of them.
      .filter((parameter) => parameter.in === source && Object(parameter.schema.node).type !== "object")
      .map(({ name, schema, required }) => {
        const valid = arbitraryOf(document, schema.node, fits).map(String);
        const value = fc.oneof({ weight: 4, arbitrary: valid }, { weight: 1, arbitrary: texts });
        const values = fc.array(value, { minLength: 1, maxLength: 1 });
        return fc.tuple(
          fc.constant(name),
          required ? often(values, fc.constant([])).chain((one) => one) : fc.oneof(values, fc.constant([])),
        );
      });
  // The other operations of the path have their own cases.
  const siblings = cases.filter((one) => one.service === entry.service && one.operation.path === operation.path);
  const taken = new Set(siblings.map(({ operation: { method } }) => method));
  const others = ["PATCH", "PUT", "GET", "DELETE", "POST"].filter((method) => !taken.has(method));
  return fc
    .record({
      method: often(operation.method, ...others),
      ids: fc.array(often(id, "6F1D2C84-3b5e-4f0a-9c27-8e4b1a5d7f30", "agent-1", "%C3%A9", "a%2Fb"), {
        minLength: 3,
        maxLength: 3,
      }),
      ending: often("", "/", "/", "/none/none"),
      query: fc.tuple(...valuesOf("query")),
      more: often("", "unknown=1"),
      given: fc.tuple(...valuesOf("header")),
      authorization: keys,
      type: types,
      accept: accepted,
      body: bodiesOf(entry),
    })
    .map(({ method, ids, ending, query, more, given, authorization, type, accept, body }) => {
      const path = operation.path
        .split(/\{\w+\}/)
        .map((part, index) => (index === 0 ? part : ids[index - 1] + part))
        .join("");
      const pairs = query.flatMap(([name, values]) => values.map((value) => `${name}=${encodeURIComponent(value)}`));
      const search = [...pairs, ...(more === "" ? [] : [more])].join("&");
      const headers = {
        ...Object.fromEntries(
          given.flatMap(([name, values]) => values.filter(isHeaderValue).map((value) => [name, value])),
        ),
        ...(authorization !== undefined && { authorization }),
        ...(accept !== undefined && { accept }),
        ...(body !== undefined && type !== undefined && { "content-type": type }),
      };
      return {
        method,
        target: path + ending + (search === "" ? "" : `?${search}`),
        headers,
        body: method === "GET" ? undefined : body,
      };
    });
}

function bodiesOf(entry: Case): fc.Arbitrary<string | undefined> {
  const { document, operation, fits } = entry;
  if (operation.body === undefined) return fc.constant(undefined);
  const schema = bodySchema(entry);
  const valid = arbitraryOf(document, schema, fits);
  const broken = fc.tuple(valid, fc.nat()).map(([body, choice]) => {
    const mutations = mutationsOf(document, schema, body, fits);
    // There are many wrong types, and few limits: each kind is equally likely.
    const kinds = [...new Set(mutations.map(kindOf))];
    const alike = mutations.filter((mutation) => kindOf(mutation) === kinds[choice % kinds.length]);
    const mutation = alike[choice % alike.length];
    return mutation === undefined ? body : applyMutation(body, mutation);
  });
  const json = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: json(valid) },
    { weight: 6, arbitrary: json(broken) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, "", "{", "{'a': 1}", "null", "[]", '"text"') },
  );
}

function kindOf({ what }: Mutation): string {
  return what.split(":")[0] ?? "";
}

function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** The JSON of a request's body; undefined if it is not JSON. */
export function jsonOf({ body }: Sent): unknown {
  try {
    return JSON.parse(body ?? "");
  } catch {
    return undefined;
  }
}

/** Whether a predicate is true for any value within another. */
export function someWithin(value: unknown, holds: (value: unknown) => boolean): boolean {
  if (holds(value)) return true;
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inner.some((one) => someWithin(one, holds));
}
