/**
 * What types can say of schemas. Values on which a schema and its erased form differ are those on which types and validators
 * cannot agree: ranges, patterns, exact choices, members that nothing declares.
 */
import { listOf, mapOf, mapParts, targetOf, type Schema, type Schemas } from "./node.ts";
import type { Direction } from "./letter.ts";

/** Keywords of which types say nothing. */
const unsaid = new Set(
  (
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format uniqueItems " +
    "minProperties maxProperties not if then else dependentRequired dependentSchemas contains minContains maxContains " +
    "propertyNames patternProperties unevaluatedProperties unevaluatedItems discriminator"
  ).split(" "),
);

/**
 * The components as types can say them. Each is there twice: as a part of what refers to it with more keywords, and as a whole,
 * whose name ends with `Whole`.
 */
export function erased(schemas: Schemas, direction: Direction): Schemas {
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  const target = (schema: Schema): Schema => Object(schemas[targetOf(schema) ?? ""] ?? {});
  const together = (schema: Schema): Schema[] => [
    ...listOf(schema, "allOf"),
    ...(targetOf(schema) === undefined ? [] : [target(schema)]),
  ];

  /** Whether a schema says which types its values have, also by what it holds together with. */
  const isTyped = (schema: Schema): boolean =>
    ["type", "const", "enum", "properties"].some((key) => key in schema) ||
    together(schema).some(isTyped) ||
    ["anyOf", "oneOf"].some((key) => key in schema && listOf(schema, key).every(isTyped));

  /** The properties of an object that needs none of them; undefined if it needs some, or may have others. */
  const optionalIn = (schema: Schema): string[] | undefined => {
    const hasMore = isFilled(schema["required"]) || typeof schema["additionalProperties"] === "object";
    if (hasMore || "anyOf" in schema || "oneOf" in schema) return undefined;
    const below = together(schema).map(optionalIn);
    if (below.includes(undefined)) return undefined;
    return [...mapOf(schema, "properties").map(([name]) => name), ...below.flatMap((names) => names ?? [])];
  };

  /** A type of optional properties refuses an object that has none of them, and others. */
  const whole = (schema: Schema): Schema => {
    const names = optionalIn(schema) ?? [];
    const needs = names.map((name) => ({ required: [name] }));
    if (names.length === 0) return said(schema, false);
    return { allOf: [said(schema, false), { anyOf: [{ type: otherTypes }, { maxProperties: 0 }, ...needs] }] };
  };

  /** @param isPart whether it holds together with a schema that says which types values have */
  const said = (schema: Schema, isPart: boolean): Schema => {
    const isInPart = isPart || isTyped(schema);
    const isAlone = !["$ref", "properties", "allOf"].some((key) => key in schema) && !isPart;
    const parts = mapParts(schema, (part, key) => {
      // What the other direction has may be in a type, or not.
      if (key === "properties" && [part, target(part)].some((one) => one[mark] === true)) return {};
      if (key === "allOf" || (choices.has(key) && !isAlone)) return said(part, isInPart);
      return whole(part);
    });
    const result: Record<string, unknown> = {};
    const all: unknown[] = [];
    for (const [key, value] of Object.entries(parts)) {
      if (unsaid.has(key) || (key === "additionalProperties" && value === false)) continue;
      // Only a tuple says how many items there are.
      if ((key === "minItems" || key === "maxItems") && !("prefixItems" in schema)) continue;
      // There is one type of numbers, and a value may match several members of a union.
      if (key === "type") result[key] = JSON.parse(JSON.stringify(value).replaceAll('"integer"', '"number"'));
      else if (choices.has(key)) all.push({ anyOf: value });
      else if (key === "allOf") all.push(...[value].flat());
      else result[key] = value;
    }
    // What has properties is an object, and so is what requires some if nothing says which types values have.
    if ("properties" in schema || ("required" in schema && !isInPart)) result["type"] ??= "object";
    // An index has the types of all properties.
    const { additionalProperties: rest } = parts;
    if (typeof rest === "object" && "properties" in parts)
      result["additionalProperties"] = { anyOf: [rest, ...mapOf(parts, "properties").map(([, part]) => part)] };
    if ("prefixItems" in schema && schema["items"] === undefined) result["items"] = false;
    return all.length > 0 ? { ...result, allOf: all } : result;
  };
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => [
      [name, said(Object(schema), false)],
      [`${name}Whole`, whole(Object(schema))],
    ]),
  );
}

const choices = new Set(["anyOf", "oneOf"]);
const otherTypes = ["null", "string", "number", "boolean", "array"];

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
