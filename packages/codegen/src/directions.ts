import { readDocument, type DocumentResponse, type RequestBody } from "@trainyard/document";
import { childSchemas, nameOf, resolve, schemaAt, schemasOf, type OpenApiDocument, type Schema } from "./document.ts";

/** The schemas that stand in what callers send, and in what they get. */
export interface Directions {
  readonly sent: ReadonlySet<Schema>;
  readonly received: ReadonlySet<Schema>;
}

/** Finds what goes each way. What `stop` takes is not looked into where it is sent. */
export function directionsOf(
  document: OpenApiDocument,
  queries: readonly Schema[],
  stop?: (schema: Schema) => boolean,
): Directions {
  const schemas = schemasOf(document);
  const sent = new Set<Schema>();
  const received = new Set<Schema>();
  for (const query of queries) reach(schemas, query, sent, stop);
  for (const { body, responses } of readDocument(document).operations) {
    for (const schema of schemasIn(body)) reach(schemas, schema, sent, stop);
    for (const response of responses.values()) {
      for (const schema of schemasIn(response)) reach(schemas, schema, received);
    }
  }
  return { sent, received };
}

/** Adds to a set what a schema is made of, itself included. */
export function reach(
  schemas: Readonly<Record<string, Schema>>,
  schema: Schema,
  seen: Set<Schema>,
  stop?: (schema: Schema) => boolean,
): void {
  if (seen.has(schema) || stop?.(schema) === true) return;
  seen.add(schema);
  const named = schemas[nameOf(schema) ?? ""];
  for (const next of named === undefined ? childSchemas(schema) : [named]) reach(schemas, next, seen, stop);
}

/**
 * What is only read is no part of what is only sent, and the other way round. Of what goes both ways nobody has to give it, and
 * it may be missing where it is looked for.
 */
export function keepDirections(document: OpenApiDocument, queries: readonly Schema[]): void {
  const schemas = schemasOf(document);
  const { sent, received } = directionsOf(document, queries);
  for (const schema of new Set([...sent, ...received])) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const marked = [property, resolve(schemas, property)];
      const absent = [
        ...(marked.some((one) => one["readOnly"] === true) ? [sent] : []),
        ...(marked.some((one) => one["writeOnly"] === true) ? [received] : []),
      ];
      if (!absent.some((way) => way.has(schema))) continue;
      if (schema.required) schema.required = schema.required.filter((one) => one !== name);
      if (!(sent.has(schema) && received.has(schema))) delete schema.properties?.[name];
    }
  }
}

function schemasIn(holder: RequestBody | DocumentResponse | undefined): Schema[] {
  const media = holder === undefined ? [] : [...holder.content.values()];
  return media.flatMap(({ schema }) => (schema === undefined ? [] : [schemaAt(schema)]));
}
