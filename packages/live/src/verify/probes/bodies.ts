import { isObject, type Fault, type JsonObject } from "@trainyard/core/validation";
import { jsonOf, locateIn, type Located, type Operation } from "@trainyard/document";
import { validatorOf } from "@trainyard/host/validator";
import { groupBy } from "../../text.ts";

/** An invalid body, and its faults. */
export interface BadBody extends Change {
  readonly faults: readonly Fault[];
}

/** Bodies that break the schema of an operation in one location each. The most telling ones come first. */
export function badBodies(root: object, operation: Operation, example: unknown, most: number): BadBody[] {
  const schema = jsonOf(operation.body?.content ?? new Map())?.schema;
  if (schema === undefined) return [];
  const candidates = [{ body: {}, what: "with an empty object" }, ...changes(root, schema, example, 3)];
  const found = candidates
    .map((change) => ({ ...change, faults: validatorOf(root).request(operation, "body", change.body) }))
    .filter(({ faults }) => faults.length > 0);
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
  const { minimum, maximum, maxLength, pattern } = node;
  const of = others.filter((other) => typeof other !== typeof value || (other === null) !== (value === null));
  const wrong: (readonly [unknown, what: string])[] = of.slice(0, 2).map((other) => [other, "of another type"]);
  if (typeof minimum === "number") wrong.push([minimum - 1, "below the limit"]);
  if (typeof maximum === "number") wrong.push([maximum + 1, "above the limit"]);
  if (typeof maxLength === "number") wrong.push(["x".repeat(maxLength + 1), "that is too long"]);
  if (typeof pattern === "string") wrong.push(["/:\u0001[", "that does not match the pattern"]);
  if ("enum" in node || "const" in node) wrong.push(["verify-none", "that is not in the list"]);
  const found = wrong.map(([body, what]) => ({ body, what: `with a value ${what} at \`${path || "body"}\`` }));
  if (isObject(value)) found.push(...changesOfObject(root, schema, value, depth, path));
  if (Array.isArray(value) && isObject(node["items"]) && value.length > 0 && depth > 0) {
    const inner = changes(root, locateIn(root, schema, "items"), value[0], depth - 1, `${path}[]`);
    found.push(...inner.map(({ body, what }) => ({ body: [body, ...value.slice(1)], what })));
  }
  return found;
}

function changesOfObject(root: object, schema: Located, value: JsonObject, depth: number, path: string): Change[] {
  const { node } = schema;
  const below = path === "" ? "" : `${path}.`;
  const found: Change[] = [node["required"] ?? []]
    .flat()
    .map(String)
    .map((name) => {
      const { [name]: _, ...body } = value;
      return { body, what: `without \`${below}${name}\`` };
    });
  if (node["additionalProperties"] === false)
    found.push({ body: { ...value, verify_unknown: 1 }, what: `with an unknown property at \`${path || "body"}\`` });
  const names = depth > 0 && isObject(node["properties"]) ? Object.keys(node["properties"]) : [];
  for (const name of names) {
    const inner = changes(root, locateIn(root, schema, "properties", name), value[name], depth - 1, below + name);
    found.push(...inner.map(({ body, what }) => ({ body: { ...value, [name]: body }, what })));
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
  const changed = Object.entries(example).flatMap(([name, value]): [string, string][] => {
    const { node } = locateIn(root, schema, "properties", name);
    const isChosen = operation.safe ? required.has(name) : ["project", "name"].includes(name);
    const isName = isChosen && node["type"] === "string" && !("format" in node);
    if (typeof value !== "string") return [];
    return node["format"] === "uuid" ? [[name, crypto.randomUUID()]] : isName ? [[name, own]] : [];
  });
  return changed.length > 0 ? { ...example, ...Object.fromEntries(changed) } : undefined;
}
