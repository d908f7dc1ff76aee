import { isObject } from "@trainyard/core/validation";
import { locateIn, type Located, type Parameter } from "@trainyard/document";
import { validatorOf } from "@trainyard/host/validator";
import { textOf } from "../../text.ts";
import type { Run, Target } from "../run.ts";

/** Values of the formats that parameters have. */
const formats = new Map(
  Object.entries({
    date: "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    duration: "PT1H",
    email: "verify@example.com",
    hostname: "example.com",
    ipv4: "127.0.0.1",
    ipv6: "::1",
    time: "00:00:00Z",
    uri: "https://example.com",
    url: "https://example.com",
    uuid: "00000000-0000-4000-8000-000000000000",
  }),
);

/** Headers that OpenAPI ignores as parameters. */
const ignored = new Set(["accept", "authorization", "content-type"]);

/** The most characters and items of a value. */
const most = 1000;

/** The query or the header parameters that a request must have, each with its value; undefined if the run has none. */
function required({ run, service, operation }: Target, where: "query" | "header"): [string, Texts | undefined][] {
  return operation.parameters
    .filter((one) => one.in === where && one.required && !ignored.has(where === "header" ? one.name.toLowerCase() : ""))
    .map((one) => [one.name, given(run, one.name) ?? textsOf(service.document.root, one)]);
}

/** The value of `--set`. */
function given({ options: { set = {} } }: Run, name: string): string | undefined {
  return Object.hasOwn(set, name) ? set[name] : undefined;
}

/** A value as it is sent: for a list, each item. */
type Texts = string | readonly string[];

/** The required query parameters, and those of `--set`. */
export function queryOf(target: Target): Record<string, Texts> {
  const { run, operation } = target;
  const own = Object.entries(run.options.set ?? {});
  const names = new Set(operation.parameters.filter((one) => one.in === "query").map(({ name }) => name));
  return Object.fromEntries([...filled(required(target, "query")), ...own.filter(([name]) => names.has(name))]);
}

/** The required headers. */
export function headersOf(target: Target): Record<string, string> {
  return Object.fromEntries(filled(required(target, "header")).map(([name, value]) => [name, String(value)]));
}

/** The required parameters without an example whose schema gives no value either, so that no request can be made. */
export function valueless(target: Target): string[] {
  return (["query", "header"] as const).flatMap((where) =>
    required(target, where).flatMap(([name, value]) => (value === undefined ? [name] : [])),
  );
}

/** Whether a required parameter gets a value that the document does not show, so that the service may refuse it. */
export function isMadeUp({ run, operation }: Target): boolean {
  return operation.parameters.some(
    ({ in: where, name, required: must, example }) =>
      (where === "query" || where === "header") && must && example === undefined && given(run, name) === undefined,
  );
}

function filled(all: readonly [string, Texts | undefined][]): [string, Texts][] {
  return all.flatMap(([name, value]): [string, Texts][] => (value === undefined ? [] : [[name, value]]));
}

/** A parameter's example, or else a value of its schema. */
function textsOf(root: object, { node, schema, example }: Parameter): Texts | undefined {
  const value = example ?? ("schema" in node ? valueOf(root, schema) : undefined);
  if (Array.isArray(value) && "schema" in node) return value.map(textOf);
  // An object is sent in a form of its own, unless it is JSON as a whole.
  return value === undefined || (isObject(value) && "schema" in node) ? undefined : textOf(value);
}

/** The first valid one of the values that a schema suggests. */
function valueOf(root: object, schema: Located, depth: number = 0): unknown {
  const validator = validatorOf(root);
  return suggested(root, schema, depth).find((value) => validator.at(schema.pointer, value).length === 0);
}

function suggested(root: object, schema: Located, depth: number): unknown[] {
  const { node } = schema;
  const { minLength, maxLength, minItems, format, type } = node;
  const lists = [node["examples"] ?? [], node["enum"] ?? []].flat();
  const listed = [node["default"], node["const"], node["example"], ...lists];
  if (depth > 4) return listed.filter((one) => one !== undefined);
  const members = ["allOf", "oneOf", "anyOf"].flatMap((key) =>
    [node[key] ?? []].flat().flatMap((_, index) => suggested(root, locateIn(root, schema, key, index), depth + 1)),
  );
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const number = [1, minimum, maximum, Number(exclusiveMinimum) + 1, Number(exclusiveMaximum) - 1, multipleOf, 0];
  const text = "verify".padEnd(Math.min(most, Number(minLength ?? 0)), "-").slice(0, Number(maxLength ?? Infinity));
  const item = node["items"] === undefined ? "verify" : valueOf(root, locateIn(root, schema, "items"), depth + 1);
  const byType = new Map<string, readonly unknown[]>(
    Object.entries({
      string: [formats.get(String(format)), text, "1"],
      integer: number,
      number: number.concat(Number(minimum) + 0.5),
      boolean: [true],
      array:
        item === undefined
          ? []
          : [Array.from({ length: Math.min(most, Math.max(1, Number(minItems ?? 1))) }, () => item)],
    }),
  );
  const types = type === undefined && members.length === 0 ? ["string"] : [type ?? []].flat().map(String);
  const made = types.flatMap((one) => byType.get(one) ?? []);
  return [...listed, ...members, ...made].filter((one) => one !== undefined && one !== null && !Number.isNaN(one));
}
