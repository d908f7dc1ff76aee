import { groupBy } from "../group.ts";
import { isObject, type Fault, type JsonObject } from "@trainyard/core/validation";
import { jsonOf, locate, locateIn, type Operation, type Located } from "@trainyard/document";
import type { Validator } from "@trainyard/host/validator";

/** The named examples of a request body. */
export function exampleBodies({ body }: Operation): [name: string, value: unknown][] {
  return [...(body ? (jsonOf(body.content)?.examples ?? []) : [])];
}

/** A body with the values of `--set` for each property of that name in its schema. */
export function withSet(operation: Operation, body: unknown, set: Readonly<Record<string, string>>): unknown {
  const properties = jsonOf(operation.body?.content ?? new Map())?.schema?.node["properties"];
  if (!isObject(body) || !isObject(properties)) return body;
  const own = Object.entries(set).filter(([name]) => Object.hasOwn(properties, name));
  return { ...body, ...Object.fromEntries(own) };
}

/** An invalid body, and its fault. */
export interface BadBody {
  readonly body: unknown;
  readonly what: string;
  readonly faults: readonly Fault[];
}

/** Bodies that break the schema of an operation in one location each. The most telling ones come first. */
export function badBodies(
  root: object,
  validator: Validator,
  operation: Operation,
  example: unknown,
  most: number,
): BadBody[] {
  const schema = jsonOf(operation.body?.content ?? new Map())?.schema;
  if (schema === undefined) return [];
  const candidates = [{ body: {}, what: "with an empty object" }, ...changes(root, schema, example, 3)];
  const found: BadBody[] = [];
  for (const { body, what } of candidates) {
    const faults = validator.request(operation, "body", body);
    if (faults.length > 0) found.push({ body, what, faults });
  }
  // Take one of each kind before a second of any kind.
  const byKind = groupBy(found, ({ what }) => what.replaceAll(/`[^`]*`/g, ""));
  const rounds = Array.from({ length: most }, (_, round) => [...byKind.values()].flatMap((all) => all[round] ?? []));
  return rounds.flat().slice(0, most);
}

interface Change {
  readonly body: unknown;
  readonly what: string;
}

const others: readonly unknown[] = [7, "verify", true, { verify: 1 }, null];

/** Copies of a value with one change each, down to some depth. */
function changes(root: object, schema: Located, value: unknown, depth: number, path = ""): Change[] {
  const { node } = schema;
  const where = `at \`${path || "body"}\``;
  const found: Change[] = others
    .filter((other) => typeof other !== typeof value || (other === null) !== (value === null))
    .slice(0, 2)
    .map((other) => ({ body: other, what: `with a value of another type ${where}` }));
  if (typeof node["minimum"] === "number")
    found.push({ body: node["minimum"] - 1, what: `with a value below the limit ${where}` });
  if (typeof node["maximum"] === "number")
    found.push({ body: node["maximum"] + 1, what: `with a value above the limit ${where}` });
  if (typeof node["maxLength"] === "number")
    found.push({
      body: "x".repeat(node["maxLength"] + 1),
      what: `with a value that is too long ${where}`,
    });
  if (typeof node["pattern"] === "string")
    found.push({ body: "/:\u0001[", what: `with a value that does not match the pattern ${where}` });
  if ("enum" in node || "const" in node)
    found.push({ body: "verify-none", what: `with a value that is not in the list ${where}` });
  if (isObject(value)) found.push(...changesOfObject(root, schema, value, depth, path));
  if (Array.isArray(value) && isObject(node["items"]) && value.length > 0 && depth > 0) {
    const item = locateIn(root, schema, "items");
    const inner = changes(root, item, value[0], depth - 1, `${path}[]`);
    found.push(...inner.map(({ body, what }) => ({ body: [body, ...value.slice(1)], what })));
  }
  return found;
}

function changesOfObject(root: object, schema: Located, value: JsonObject, depth: number, path: string): Change[] {
  const { node } = schema;
  const found: Change[] = [];
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  for (const name of [node["required"] ?? []].flat().map(String)) {
    const { [name]: _, ...rest } = value;
    found.push({ body: rest, what: `without \`${path}${path === "" ? "" : "."}${name}\`` });
  }
  if (node["additionalProperties"] === false)
    found.push({ body: { ...value, verify_unknown: 1 }, what: `with an unknown property at \`${path || "body"}\`` });
  if (depth <= 0) return found;
  for (const name of Object.keys(properties)) {
    const inner = locate(root, locateIn(root, schema, "properties", name).pointer);
    const at = path === "" ? name : `${path}.${name}`;
    const below = changes(root, inner, value[name], depth - 1, at);
    found.push(...below.map(({ body, what }) => ({ body: { ...value, [name]: body }, what })));
  }
  return found;
}

/**
 * An example with new ids and the run's own names, so that it refers to nothing that exists, even if a service accepts what it
 * must reject. Undefined if it has neither.
 */
export function unknownBody(root: object, operation: Operation, example: unknown, own: string): JsonObject | undefined {
  const schema = jsonOf(operation.body?.content ?? new Map())?.schema;
  if (schema === undefined || !isObject(example)) return undefined;
  const required = new Set([schema.node["required"] ?? []].flat());
  let changed = false;
  const body = Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const { node } = locateIn(root, schema, "properties", name);
      const isId = node["format"] === "uuid";
      const isChosen = operation.safe ? required.has(name) : ["project", "name"].includes(name);
      const isName = isChosen && node["type"] === "string" && !("format" in node);
      if (typeof value !== "string" || (!isId && !isName)) return [name, value];
      changed = true;
      return [name, isId ? crypto.randomUUID() : own];
    }),
  );
  return changed ? body : undefined;
}
