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
  const { maps, lists, single } = schemaKeywords;
  const found: { keys: (string | number)[]; schema: unknown }[] = [
    ...maps.flatMap((key) => {
      const map = schema[key];
      return Object.entries(isObject(map) ? map : {}).map(([name, one]) => ({ keys: [key, name], schema: one }));
    }),
    ...lists.flatMap((key) => {
      const list = schema[key];
      return (Array.isArray(list) ? list : []).map((one, index) => ({ keys: [key, index], schema: one }));
    }),
    ...single.map((key) => ({ keys: [key], schema: schema[key] })),
  ];
  return found.flatMap(({ keys, schema: one }) => (isObject(one) ? [{ keys, schema: one }] : []));
}
