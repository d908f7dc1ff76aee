import { isObject, joinPointer, pointerTokens, resolvePointer } from "@trainyard/core/validation";
import {
  directions,
  hasDirections,
  isAbsent,
  readDocument,
  requireIn,
  type Direction,
  type DocumentResponse,
  type RequestBody,
} from "@trainyard/document";
import { everySchema } from "./closed-types.ts";
import { childSchemas, schemaAt, schemasOf, type OpenApiDocument, type Schema } from "./document.ts";
import { freeName } from "./inline-schemas.ts";
import { wholeOf } from "./references.ts";
import { referTo } from "./rename-components.ts";
import type { NamedDocument } from "./schema-names.ts";

type Directions = Readonly<Record<"sent" | "received", ReadonlySet<Schema>>>;

/**
 * Finds the schemas of each direction, without those of properties that only the other one has. Those for which `stop`
 * returns true are not followed in requests.
 */
function directionsOf(
  document: OpenApiDocument,
  queries: readonly Schema[],
  stop?: (schema: Schema) => boolean,
): Directions {
  const sent = new Set<Schema>();
  const received = new Set<Schema>();
  const isMarked = hasDirections(document);
  const skips = (direction: Direction) => (property: Schema) => isMarked && isAbsent(document, property, direction);
  for (const query of queries) reach(document, query, sent, skips("request"), stop);
  for (const { body, responses } of readDocument(document).operations) {
    for (const schema of schemasIn(body)) reach(document, schema, sent, skips("request"), stop);
    for (const response of responses.values()) {
      for (const schema of schemasIn(response)) reach(document, schema, received, skips("response"));
    }
  }
  return { sent, received };
}

/** Adds a schema and everything that it contains or refers to, to a set, without the properties to skip. */
function reach(
  document: OpenApiDocument,
  schema: Schema,
  seen: Set<Schema>,
  skips: (property: Schema) => boolean,
  stop?: (schema: Schema) => boolean,
): void {
  if (seen.has(schema) || stop?.(schema) === true) return;
  seen.add(schema);
  const target = schema.$ref === undefined ? undefined : resolvePointer(document, schema.$ref);
  const skipped = new Set(Object.values(schema.properties ?? {}).filter(skips));
  for (const next of [...childSchemas(schema), ...(isObject(target) ? [target] : [])])
    if (!skipped.has(next)) reach(document, next, seen, skips, stop);
}

/**
 * Lets schemas require only what values of their direction have. A component that is sent and received has another name in
 * requests if that makes a difference, as has one that contains such a component: `User` and `UserWrite`. The document itself
 * changes.
 */
export function splitDirections(
  document: OpenApiDocument,
  reserved: ReadonlyMap<string, string>,
): Pick<NamedDocument, "document" | "split"> {
  const split = new Map<string, string>();
  if (!hasDirections(document)) return { document, split };
  const { operations } = readDocument(document);
  const schemas = schemasOf(document);
  const parameters = operations.flatMap((operation) => operation.parameters);
  const queries = parameters.map(({ schema }) => schemaAt(schema));
  const { sent, received } = directionsOf(document, queries);
  const components = Object.entries(schemas).map(([name, schema]) => {
    const parts = everySchema({ [name]: schema });
    const shared = parts.filter((part) => sent.has(part) && received.has(part));
    return { name, schema, parts, shared, pointer: joinPointer("#/components/schemas", name) };
  });
  const isTaken = (name: string): boolean => schemas[name] !== undefined || reserved.has(name);
  const differs = (part: Schema): boolean =>
    directions.some((direction) => requireIn(document, part, direction, false)) ||
    split.has(wholeOf(pointerTokens(part.$ref ?? "")));
  // A component may contain one that comes later.
  for (let count = -1; count < split.size;) {
    count = split.size;
    for (const { name, pointer, shared } of components)
      if (!split.has(pointer) && shared.some(differs)) split.set(pointer, freeName(`${name}Write`, isTaken));
  }
  for (const part of sent) if (!received.has(part)) requireIn(document, part, "request");
  for (const part of received) if (!sent.has(part)) requireIn(document, part, "response");
  for (const { name, pointer, schema, parts } of components) {
    const write = split.get(pointer);
    if (write !== undefined) {
      const own = structuredClone(schema);
      for (const part of everySchema({ own })) requireIn(document, part, "request");
      for (const part of parts) requireIn(document, part, "response");
      schemas[write] = Object(referTo(split, own));
    } else if (parts.some((part) => sent.has(part)) && !parts.some((part) => received.has(part)))
      schemas[name] = Object(referTo(split, schema));
  }
  for (const { node } of [...parameters, ...operations.flatMap(({ body }) => body ?? [])])
    Object.assign(node, referTo(split, node));
  return { document: { ...document, components: { ...document.components, schemas } }, split };
}

/** Removes from schemas of one direction the properties that only the other has. */
export function keepDirections(document: OpenApiDocument, queries: readonly Schema[]): void {
  const { sent, received } = directionsOf(document, queries);
  const remove = (schema: Schema, direction: Direction): void => {
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      if (isAbsent(document, property, direction)) delete schema.properties?.[name];
  };
  // The parameters of a query are sent, whatever their schemas say.
  for (const schema of sent) if (!received.has(schema) && !queries.includes(schema)) remove(schema, "request");
  for (const schema of received) if (!sent.has(schema)) remove(schema, "response");
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
  const kinds = new Set<Schema>();
  const { sent, received } = directionsOf(document, queries, (schema) => {
    if (schema.discriminator === undefined) return false;
    reach(document, schema, kinds, () => false);
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
