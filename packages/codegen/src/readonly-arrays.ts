import { readDocument, type DocumentResponse, type RequestBody } from "@trainyard/document";
import { childSchemas, nameOf, schemaAt, schemasOf, type OpenApiDocument, type Schema } from "./document.ts";

/**
 * Marks with `x-readonly` the arrays that stand only in what people send, so that `as const` goes in. Arrays of answers
 * stay mutable, to be sorted or passed on; so do the kinds of a discriminated union, such as messages, which people
 * exchange with other libraries in both directions.
 */
export function markReadonlyArrays(document: OpenApiDocument, queries: readonly Schema[]): void {
  const schemas = schemasOf(document);
  const sent = new Set<Schema>();
  const received = new Set<Schema>();
  const kinds = new Set<Schema>();
  const reach = (schema: Schema, seen: Set<Schema>, stop?: (schema: Schema) => boolean): void => {
    if (seen.has(schema) || stop?.(schema) === true) return;
    seen.add(schema);
    const named = schemas[nameOf(schema) ?? ""];
    for (const next of named === undefined ? childSchemas(schema) : [named]) reach(next, seen, stop);
  };
  const stopAtKinds = (schema: Schema): boolean => {
    if (schema.discriminator === undefined) return false;
    reach(schema, kinds);
    return true;
  };
  for (const query of queries) reach(query, sent, stopAtKinds);
  for (const { body, responses } of readDocument(document).operations) {
    for (const schema of schemasIn(body)) reach(schema, sent, stopAtKinds);
    for (const response of responses.values()) for (const schema of schemasIn(response)) reach(schema, received);
  }
  for (const schema of sent) {
    const isArray = schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"));
    if (isArray && !received.has(schema) && !kinds.has(schema)) schema["x-readonly"] = true;
  }
}

function schemasIn(holder: RequestBody | DocumentResponse | undefined): Schema[] {
  const media = holder === undefined ? [] : [...holder.content.values()];
  return media.flatMap(({ schema }) => (schema === undefined ? [] : [schemaAt(schema)]));
}
