/**
 * Reads schemas for the witness and for what draws values. It shares no reader with the tools, so that it has none of their faults.
 *
 * @module
 */
/** A schema, or another part of a document, as it is written. */
export type Schema = Readonly<Record<string, unknown>>;
export type Schemas = Readonly<Record<string, unknown>>;

/** The component that a schema refers to. */
export function targetOf(schema: Schema): string | undefined {
  const { $ref } = schema;
  return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
}

/** The schemas of a keyword that has a list of them. */
export function listOf(schema: Schema, key: string): Schema[] {
  const { [key]: list } = schema;
  return Array.isArray(list) ? list.map(Object) : [];
}

/** The schemas of a keyword that has them by name. */
export function mapOf(schema: Schema, key: string): [name: string, schema: unknown][] {
  return Object.entries(Object(schema[key]));
}

const maps: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);
const lists: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const singles: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
]);

/** A schema whose parts are rewritten. Those that are `true` or `false` stay. */
export function mapParts(schema: Schema, rewrite: (part: Schema, key: string) => unknown): Record<string, unknown> {
  const one = (part: unknown, key: string): unknown =>
    typeof part === "object" && part !== null && !Array.isArray(part) ? rewrite(Object(part), key) : part;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (maps.has(key))
        return [key, Object.fromEntries(mapOf(schema, key).map(([name, part]) => [name, one(part, key)]))];
      if (lists.has(key) && Array.isArray(value)) return [key, value.map((part) => one(part, key))];
      return [key, singles.has(key) ? one(value, key) : value];
    }),
  );
}
