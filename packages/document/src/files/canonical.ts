import type { OpenApiDocument } from "./document.ts";

/**
 * The keywords in reading order; others follow by name. A file may contain them in any order, and the bundle must not
 * depend on it.
 */
const order = [
  ..."openapi $ref title name in summary operationId description version termsOfService contact license".split(" "),
  ..."jsonSchemaDialect x-trainyard info url servers security tags deprecated".split(" "),
  ..."type format const enum default minimum exclusiveMinimum maximum exclusiveMaximum multipleOf".split(" "),
  ..."minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties required".split(" "),
  ..."contentMediaType contentEncoding contentSchema properties patternProperties propertyNames".split(" "),
  ..."additionalProperties prefixItems items contains allOf anyOf oneOf not if then else discriminator".split(" "),
  ..."propertyName mapping parameters requestBody requestBodies responses headers content schema itemSchema schemas".split(
    " ",
  ),
  ..."example examples value serializedValue get put post delete options head patch trace paths components".split(" "),
];
const ranks = new Map([...order.entries()].map(([index, key]) => [key, index]));

/**
 * The kind of a value: a keyword object, a map whose keys are names in a significant order, `components` or a map in it, or
 * plain data.
 */
export type Kind = "keywords" | "names" | "sections" | "components" | "data";

const nameMaps = new Set([
  ..."paths properties patternProperties $defs responses headers content examples links callbacks".split(" "),
  ..."mapping variables dependentSchemas".split(" "),
]);
const dataKeys = new Set(["default", "const", "enum", "example", "value", "dataValue", "security", "required"]);

/** Sorts keywords and components. Names, lists and data keep their order. */
export function canonical(document: OpenApiDocument): OpenApiDocument {
  return ordered(document, "keywords");
}

function ordered<T>(value: T, kind: Kind): T;
function ordered(value: unknown, kind: Kind): unknown {
  if (typeof value !== "object" || value === null || kind === "data") return value;
  if (Array.isArray(value)) return kind === "names" ? value : value.map((item) => ordered(item, kind));
  const entries = Object.entries(value);
  if (kind === "keywords" || kind === "sections") entries.sort(([a], [b]) => rank(a) - rank(b) || compare(a, b));
  if (kind === "components") entries.sort(([a], [b]) => compare(a, b));
  return Object.fromEntries(entries.map(([key, member]) => [key, ordered(member, kindOf(key, kind))]));
}

/** The kind of a member of a value. */
export function kindOf(key: string, parent: Kind): Kind {
  // The values of a map of names are keyword objects, whatever the names: a property may be called `default`.
  if (parent === "names" || parent === "components") return "keywords";
  if (parent === "sections") return key.startsWith("x-") ? "data" : "components";
  if (key === "components") return "sections";
  if (nameMaps.has(key)) return "names";
  return dataKeys.has(key) || key.startsWith("x-") ? "data" : "keywords";
}

function rank(key: string): number {
  return ranks.get(key) ?? order.length;
}

/** By code unit: the same in every locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
