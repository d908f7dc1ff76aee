import { directionsOf, reach } from "./directions.ts";
import { schemasOf, type OpenApiDocument, type Schema } from "./document.ts";

/**
 * Marks with `x-readonly` the arrays that stand only in what people send, so that `as const` goes in. Arrays of answers
 * stay mutable, to be sorted or passed on; so do the kinds of a discriminated union, such as messages, which people
 * exchange with other libraries in both directions.
 */
export function markReadonlyArrays(document: OpenApiDocument, queries: readonly Schema[]): void {
  const schemas = schemasOf(document);
  const kinds = new Set<Schema>();
  const { sent, received } = directionsOf(document, queries, (schema) => {
    if (schema.discriminator === undefined) return false;
    reach(schemas, schema, kinds);
    return true;
  });
  for (const schema of sent) {
    const isArray = schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"));
    if (isArray && !received.has(schema) && !kinds.has(schema)) schema["x-readonly"] = true;
  }
}
