import { isObject } from "@trainyard/core/validation";
import { readDocument, type DocumentResponse, type RequestBody } from "@trainyard/document";
import { childSchemas, nameOf, resolve, schemaAt, schemasOf, type OpenApiDocument, type Schema } from "./document.ts";

type Directions = Readonly<Record<"sent" | "received", ReadonlySet<Schema>>>;

/** Finds the schemas of each direction. Those for which `stop` returns true are not followed in requests. */
function directionsOf(
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

/** Adds a schema and everything that it contains to a set. */
function reach(
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
 * Removes read-only properties from schemas of requests, and write-only ones from schemas of responses. In schemas of both,
 * such properties become optional.
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

/** The most types, and the longest, that are written again for the other properties of an object. */
const most = { types: 5, length: 200 };

/**
 * Lets the other properties of objects that are sent have the types of the named ones, too: otherwise no object with a
 * named property of another type could be written.
 */
export function openMaps(document: OpenApiDocument, queries: readonly Schema[]): void {
  for (const schema of directionsOf(document, queries).sent) {
    const { properties = {}, additionalProperties: others } = schema;
    if (!isObject(others) || Object.keys(others).length === 0 || Object.keys(properties).length === 0) continue;
    const types = new Map(
      [others, ...Object.values(properties)].map((one) => {
        const { description: _, title: __, default: ___, ...type } = structuredClone(one);
        return [JSON.stringify(type), type] as const;
      }),
    );
    const isLong = types.size > most.types || [...types.keys()].some((text) => text.length > most.length);
    schema.additionalProperties = isLong ? {} : { anyOf: [...types.values()] };
  }
}
