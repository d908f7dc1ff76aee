import { hasType, isObject, resolvePointer, type JsonObject, type Loc } from "@trainyard/core/validation";
import { namesOf, type Fits } from "./arbitrary.ts";

/** One change that makes a value invalid, and the path of the resulting fault. */
export interface Mutation {
  readonly loc: Loc;
  /** A description of the change, for people who read a counterexample. */
  readonly what: string;
  /** The new value; undefined if the value was removed. */
  readonly value: unknown;
}

/**
 * All ways to make a valid value invalid in one place.
 *
 * @param isOpen whether an unknown text is valid in this enumeration, or as a tag of this union. Default: it is always
 * invalid.
 */
export function mutationsOf(
  document: object,
  schema: unknown,
  value: unknown,
  fits: Fits,
  loc: Loc = [],
  isOpen: (schema: JsonObject) => boolean = () => false,
): Mutation[] {
  const node = branchOf(document, schema, value, fits);
  if (!node) return [];
  const found: Mutation[] = [];
  const replace = (what: string, wrong: unknown, at: Loc = loc) => found.push({ loc: at, what, value: wrong });
  // A value that no branch of the schema accepts.
  const misfit = [true, 7.5, "?", null, [7.5], { "?": 7.5 }].find((wrong) => !fitsKind(document, schema, wrong));
  if (misfit !== undefined) replace(`another type: ${JSON.stringify(misfit)}`, misfit);
  if (typeof value === "string" && !isOpen(node) && !fits(node, `${value}\u0000?`))
    replace("another text", `${value}\u0000?`);
  if (typeof value === "number") {
    if (typeof node["minimum"] === "number") replace("too small", node["minimum"] - 1);
    if (typeof node["maximum"] === "number") replace("too large", node["maximum"] + 1);
    // Stay within the limits, or the value would have two faults.
    if (node["type"] === "integer") replace("a fraction", value === node["maximum"] ? value - 0.5 : value + 0.5);
  }
  if (Array.isArray(value)) {
    if (typeof node["minItems"] === "number" && node["minItems"] > 0) replace("no items", []);
    for (const [index, item] of value.entries())
      found.push(...mutationsOf(document, node["items"], item, fits, [...loc, index], isOpen));
  }
  if (isObject(value)) {
    const properties = isObject(node["properties"]) ? node["properties"] : {};
    for (const name of namesOf(node)) replace("missing", undefined, [...loc, name]);
    if (node["additionalProperties"] === false) replace("not permitted", 1, [...loc, "no such property"]);
    for (const [name, inner] of Object.entries(value)) {
      const property = properties[name] ?? node["additionalProperties"];
      if (isObject(property)) found.push(...mutationsOf(document, property, inner, fits, [...loc, name], isOpen));
    }
  }
  const union = follow(document, schema);
  const tag =
    isObject(union) && isOpen(union) && isObject(union["discriminator"]) && union["discriminator"]["propertyName"];
  return found.filter(
    ({ loc: at, what }) => !tag || what !== "another text" || at.length !== loc.length + 1 || at.at(-1) !== tag,
  );
}

/** A copy of a value with one change. */
export function applyMutation(value: unknown, { loc, value: wrong }: Mutation): unknown {
  const [step, ...rest] = loc;
  if (step === undefined) return wrong;
  const inner = { loc: rest, what: "", value: wrong };
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? applyMutation(item, inner) : item));
  if (!isObject(value)) return value;
  const { [step]: old, ...others } = value;
  return rest.length === 0 && wrong === undefined ? others : { ...value, [step]: applyMutation(old, inner) };
}

/** The schema without unions that a value matches. */
function branchOf(document: object, schema: unknown, value: unknown, fits: Fits): JsonObject | undefined {
  const node = follow(document, schema);
  if (!isObject(node)) return undefined;
  const union = node["oneOf"] ?? node["anyOf"];
  if (!Array.isArray(union)) return node;
  for (const branch of union) {
    if (isObject(branch) && fits(branch, value)) return branchOf(document, branch, value, fits);
  }
  return undefined;
}

/** Whether some branch accepts the JSON type of a value. */
function fitsKind(document: object, schema: unknown, value: unknown): boolean {
  const node = follow(document, schema);
  if (!isObject(node)) return true;
  const union = node["oneOf"] ?? node["anyOf"];
  if (Array.isArray(union)) return union.some((branch) => fitsKind(document, branch, value));
  const types = [node["type"] ?? []].flat();
  if ("const" in node && types.length === 0) return typeof value === typeof node["const"];
  return types.length === 0 || types.some((type) => hasType(value, type));
}

function follow(document: object, schema: unknown): unknown {
  return isObject(schema) && typeof schema["$ref"] === "string"
    ? follow(document, resolvePointer(document, schema["$ref"]))
    : schema;
}
