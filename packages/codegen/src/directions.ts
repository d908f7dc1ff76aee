import { isObject, joinPointer, pointerTokens, resolvePointer } from "@trainyard/core/validation";
import {
  directions,
  hasDirections,
  isAbsent,
  reach,
  readDocument,
  requireIn,
  type Direction,
  type DocumentResponse,
  type Operation,
  type RequestBody,
} from "@trainyard/document";
import { everySchema } from "./closed-types.ts";
import {
  childSchemas,
  type OpenApiDocument,
  referTo,
  type Schema,
  schemaAt,
  schemasOf,
  wholeOf,
} from "@trainyard/document/files";
import { freeName } from "./inline-schemas.ts";
import type { NamedDocument } from "./schema-names.ts";

export type Directions = Readonly<Record<"sent" | "received", ReadonlySet<Schema>>>;

/**
 * Finds the schemas of each direction, without those of properties that only the other one has. Those for which `stop`
 * returns true are not followed in requests.
 */
export function directionsOf(
  document: OpenApiDocument,
  operations: readonly Operation[],
  queries: readonly Schema[],
  stop?: (schema: Schema) => boolean,
): Directions {
  const isMarked = hasDirections(document);
  const follow = (schemas: readonly Schema[], direction: Direction, isEnd?: typeof stop) => {
    const go = (all: readonly Schema[]): Schema[] => all.filter((one) => isEnd?.(one) !== true);
    return new Set(reach(go(schemas), (one) => go(below(document, one, isMarked ? direction : undefined))));
  };
  return {
    sent: follow([...queries, ...operations.flatMap(({ body }) => schemasIn(body))], "request", stop),
    received: follow(
      operations.flatMap(({ responses }) => [...responses.values()].flatMap(schemasIn)),
      "response",
    ),
  };
}

/** What a schema contains or refers to, without properties that values of the direction need not have. */
function below(document: OpenApiDocument, schema: Schema, direction?: Direction): Schema[] {
  const { $ref, properties = {} } = schema;
  const target = $ref === undefined ? undefined : resolvePointer(document, $ref);
  const skipped = new Set(
    Object.values(properties).filter((one) => direction !== undefined && isAbsent(document, one, direction)),
  );
  return [...childSchemas(schema), ...[target].filter(isObject)].filter((one) => !skipped.has(one));
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
  const { sent, received } = directionsOf(document, operations, queries);
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
export function keepDirections(
  document: OpenApiDocument,
  { sent, received }: Directions,
  queries: readonly Schema[],
): void {
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
export function markReadonlyArrays(
  document: OpenApiDocument,
  operations: readonly Operation[],
  queries: readonly Schema[],
): void {
  const kinds = new Set<Schema>();
  const { sent, received } = directionsOf(document, operations, queries, (schema) => {
    if (schema.discriminator === undefined) return false;
    for (const one of reach([schema], (from) => below(document, from))) kinds.add(one);
    return true;
  });
  for (const schema of sent) {
    if ([schema.type].flat().includes("array") && !received.has(schema) && !kinds.has(schema))
      schema["x-readonly"] = true;
  }
}

/** The most types, and the longest, that are written again for the other properties of an object. */
const most = { types: 5, length: 200 };

/**
 * Lets the other properties of objects that are sent have the types of the named ones, too: otherwise no object with a
 * named property of another type could be written.
 */
export function openMaps({ sent }: Directions): void {
  for (const schema of sent) {
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
