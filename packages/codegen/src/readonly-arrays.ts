import { directionsOf, reach } from "./directions.ts";
import { schemasOf, type OpenApiDocument, type Schema } from "./document.ts";

/**
 * Marks arrays that only requests contain with `x-readonly`, so that `as const` values are accepted. Arrays in responses
 * stay mutable, so that they can be sorted or passed on; so do those in kinds of a discriminated union, such as messages,
 * which people exchange with other libraries in both directions.
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
