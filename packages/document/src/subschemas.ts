import { isObject, type JsonObject } from "@trainyard/core/validation";

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
