/**
 * What types can say of schemas: unions of intersections. Values on which a schema and its erased form differ are those on which
 * types and validators cannot agree: ranges, patterns, exact choices, members that nothing declares.
 */
import type { Direction } from "./letter.ts";
import { listOf, mapOf, mapParts, targetOf, type Schema, type Schemas } from "./node.ts";

/** Keywords of which types say nothing. */
const unsaid = new Set(
  (
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format uniqueItems " +
    "minProperties maxProperties not if then else dependentRequired dependentSchemas contains minContains maxContains " +
    "propertyNames patternProperties unevaluatedProperties unevaluatedItems discriminator " +
    "title description readOnly writeOnly x-extensible"
  ).split(" "),
);
const others = ["string", "number", "boolean", "array"];

/** The components as types can say them. */
export function erased(schemas: Schemas, direction: Direction): Schemas {
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  const target = (schema: Schema): Schema => Object(schemas[targetOf(schema) ?? ""] ?? {});

  /** The schemas that hold together in each case of a schema, each without other schemas beside its keywords. */
  const casesOf = (schema: Schema): (readonly Schema[])[] => {
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    const said = Object.fromEntries(Object.entries(own).filter(([key, value]) => isSaid(key, value, own)));
    const all = [
      ...($ref === undefined ? [] : [casesOf(target(schema))]),
      ...(allOf === undefined ? [] : listOf(schema, "allOf").map(casesOf)),
      ...(anyOf === undefined ? [] : [listOf(schema, "anyOf").flatMap(casesOf)]),
      // A value may match several members.
      ...(oneOf === undefined ? [] : [listOf(schema, "oneOf").flatMap(casesOf)]),
    ];
    const first: (readonly Schema[])[] = [Object.keys(said).length > 0 ? [said] : []];
    return all.reduce((sum, cases) => distinct(sum.flatMap((one) => cases.map((more) => [...one, ...more]))), first);
  };

  const whole = (schema: Schema): Schema =>
    // What refers to itself has a name.
    targetOf(schema) !== undefined && Object.keys(schema).length === 1
      ? schema
      : { anyOf: casesOf(schema).map(together) };

  const together = (parts: readonly Schema[]): Schema => {
    const optional = parts.map((part) =>
      optionalIn(part, (property) => [property, target(property)].some((one) => one[mark] === true)),
    );
    const names = optional.flatMap((list) => list ?? []);
    const isTyped = parts.some((part) => ["type", "const", "enum", "properties"].some((key) => key in part));
    // A type of optional properties refuses an object that has none of them, and others.
    const isWeak = parts.length > 0 && !optional.includes(undefined);
    const declares = {
      anyOf: [{ type: ["null", ...others] }, { maxProperties: 0 }, ...names.map((name) => ({ required: [name] }))],
    };
    const all = parts.map((part, at) => partOf(part, { isTyped, isOpen: !isWeak && optional[at] !== undefined }));
    return { allOf: isWeak ? [...all, declares] : all };
  };

  /** @param isOpen whether it is one of several, of which only the others refuse what is no object */
  const partOf = (
    schema: Schema,
    { isTyped, isOpen }: { readonly isTyped: boolean; readonly isOpen: boolean },
  ): Schema => {
    const parts = mapParts(schema, (part, key) =>
      // What the other direction has may be in a type, or not.
      key === "properties" && [part, target(part)].some((one) => one[mark] === true) ? {} : whole(part),
    );
    const { type, additionalProperties: rest } = parts;
    // What has properties is an object, and so is what requires some, or null if others permit it.
    const implied = "properties" in schema || !isTyped ? ["object"] : ["object", "null"];
    const isImplied = type === undefined && ("properties" in schema || "required" in schema);
    const types = isImplied ? implied : [type ?? []].flat().map((one) => (one === "integer" ? "number" : one));
    return {
      ...parts,
      ...(types.length > 0 && { type: isOpen ? [...new Set([...types, ...others])] : types }),
      // An index has the types of all properties.
      ...(typeof rest === "object" &&
        "properties" in parts && {
          additionalProperties: { anyOf: [rest, ...mapOf(parts, "properties").map(([, part]) => part)] },
        }),
      ...("prefixItems" in schema && schema["items"] === undefined && { items: false }),
    };
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, whole(Object(schema))]));
}

/** The properties of an object that needs none of them; undefined if it needs some, has none, or may have any. */
function optionalIn(schema: Schema, isMarked: (property: Schema) => boolean): string[] | undefined {
  const { required, additionalProperties, properties } = schema;
  if (required !== undefined || additionalProperties !== undefined || properties === undefined) return undefined;
  const names = mapOf(schema, "properties").flatMap(([name, property]) => (isMarked(Object(property)) ? [] : [name]));
  return names.length > 0 ? names : undefined;
}

/** Whether types say something of a keyword. Only a tuple says how many items there are. */
function isSaid(key: string, value: unknown, schema: Schema): boolean {
  if (key === "minItems" || key === "maxItems") return "prefixItems" in schema;
  if (key === "required") return Array.isArray(value) && value.length > 0;
  return !unsaid.has(key) && !(key === "additionalProperties" && value === false);
}

function distinct(cases: readonly (readonly Schema[])[]): (readonly Schema[])[] {
  return [...new Map(cases.map((one) => [JSON.stringify(one), one])).values()];
}
