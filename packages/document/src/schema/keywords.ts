import { isObject, type JsonObject } from "@trainyard/core/validation";
import { extensions } from "../dialect.ts";

/** The keywords of JSON Schema 2020-12 that contain schemas, by how they contain them. */
export const schemaKeywords: {
  /** Objects whose keys are names. */
  readonly maps: readonly string[];
  readonly lists: readonly string[];
  readonly single: readonly string[];
} = {
  maps: ["properties", "patternProperties", "$defs", "dependentSchemas"],
  lists: ["allOf", "anyOf", "oneOf", "prefixItems"],
  single: [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
  ],
};

/** Keywords whose schemas apply to the same value as the schema that contains them. */
export const sameValue: ReadonlySet<unknown> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);

/** A schema directly inside another. */
export interface Subschema {
  /** The keys that lead to it: `["properties", "name"]`, `["items"]`. */
  readonly keys: readonly (string | number)[];
  /** References are not resolved. */
  readonly schema: JsonObject;
}

/** The schemas directly inside a schema, in a stable order. Boolean schemas are left out. */
export function subschemas(schema: JsonObject): Subschema[] {
  const found: Subschema[] = [];
  const add = (one: unknown, ...keys: (string | number)[]): void => {
    if (isObject(one)) found.push({ keys, schema: one });
  };
  for (const key of schemaKeywords.maps) {
    const map = schema[key];
    if (isObject(map)) for (const [name, one] of Object.entries(map)) add(one, key, name);
  }
  for (const key of schemaKeywords.lists) {
    const list = schema[key];
    if (Array.isArray(list)) for (const [index, one] of list.entries()) add(one, key, index);
  }
  for (const key of schemaKeywords.single) add(schema[key], key);
  return found;
}

/** The keywords that restrict values of one type alone. */
const restricting: Readonly<Record<string, string>> = {
  string: "minLength maxLength pattern contentEncoding contentMediaType contentSchema",
  number: "minimum exclusiveMinimum maximum exclusiveMaximum multipleOf",
  array: "items prefixItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems",
  object:
    "properties patternProperties additionalProperties unevaluatedProperties propertyNames required minProperties maxProperties dependentRequired dependentSchemas",
};

/** The type whose values a keyword restricts. */
export const typeOfKeyword: ReadonlyMap<string, string> = new Map(
  Object.entries(restricting).flatMap(([type, keys]) => keys.split(" ").map((key) => [key, type] as const)),
);

/** The formats that JSON Schema and OpenAPI define for texts, which have no effect on other values. */
export const textual: ReadonlySet<string> = new Set(
  "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid uri-template json-pointer relative-json-pointer regex byte binary".split(
    " ",
  ),
);

const describing: ReadonlySet<string> = new Set([
  ..."title description externalDocs $comment example examples deprecated".split(" "),
  ...extensions.keys(),
]);

/** Whether a keyword may stand anywhere and restricts no values: annotations, and the contract's own keys. */
export function onlyDescribes(key: string): boolean {
  return describing.has(key);
}

/** Whether a schema allows any value, and has only annotations. */
export function isWordless(value: unknown): boolean {
  return value === true || (isObject(value) && Object.keys(value).every(onlyDescribes));
}
