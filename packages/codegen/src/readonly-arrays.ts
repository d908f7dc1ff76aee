import {
  childSchemas,
  httpMethods,
  referenceName,
  resolve,
  type MediaType,
  type OpenApiDocument,
  type Schema,
} from "./document.ts";

/**
 * Marks with `x-readonly` the arrays that stand only in what people send, so that `as const` goes in. Arrays of answers
 * stay mutable, to be sorted or passed on; so do the kinds of a discriminated union, such as messages, which people
 * exchange with other libraries in both directions.
 */
export function markReadonlyArrays(
  document: OpenApiDocument,
  schemas: Record<string, Schema>,
  queries: readonly Schema[],
): void {
  const sent = new Set<Schema>();
  const received = new Set<Schema>();
  const kinds = new Set<Schema>();
  const reach = (schema: Schema, seen: Set<Schema>, stop?: (schema: Schema) => boolean): void => {
    if (seen.has(schema) || stop?.(schema) === true) return;
    seen.add(schema);
    const named = schema.$ref === undefined ? undefined : schemas[referenceName(schema.$ref)];
    for (const next of named === undefined ? childSchemas(schema) : [named]) reach(next, seen, stop);
  };
  const stopAtKinds = (schema: Schema): boolean => {
    if (schema.discriminator === undefined) return false;
    reach(schema, kinds);
    return true;
  };
  for (const query of queries) reach(query, sent, stopAtKinds);
  for (const { direction, schema } of mediaSchemas(document)) {
    if (direction === "sent") reach(schema, sent, stopAtKinds);
    else reach(schema, received);
  }
  for (const schema of sent) {
    const isArray = schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"));
    if (isArray && !received.has(schema) && !kinds.has(schema)) schema["x-readonly"] = true;
  }
}

function* mediaSchemas(document: OpenApiDocument): Generator<{ direction: "sent" | "received"; schema: Schema }> {
  for (const item of Object.values(document.paths)) {
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation === undefined) continue;
      const { requestBody, responses = {} } = operation;
      if (requestBody !== undefined) {
        for (const schema of schemasOf(resolve(document, "requestBodies", requestBody).content))
          yield { direction: "sent", schema };
      }
      for (const response of Object.values(responses)) {
        for (const schema of schemasOf(resolve(document, "responses", response).content))
          yield { direction: "received", schema };
      }
    }
  }
}

function schemasOf(content: Record<string, MediaType> | undefined): Schema[] {
  return Object.values(content ?? {}).flatMap(({ schema }) => schema ?? []);
}
