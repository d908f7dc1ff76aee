import { isObject, isSchemaKeyword, type JsonObject, type Lookup } from "@trainyard/core/validation";

const compositions = ["allOf", "anyOf", "oneOf"];
/** References may lead in a circle. */
const deepest = 8;

/**
 * The schema that says most of a property: the schema's own, or that of a schema that holds together with it, by `$ref`, by
 * `allOf`, or as the only choice beside null. Undefined if no such schema says anything about the property.
 */
export function findProperty(
  schema: unknown,
  name: string,
  lookup: Lookup,
  depth: number = deepest,
): JsonObject | undefined {
  if (!isObject(schema) || depth === 0) return undefined;
  const { properties, additionalProperties, $ref } = schema;
  const isNamed = isObject(properties) && Object.hasOwn(properties, name);
  const own = isNamed ? properties[name] : additionalProperties;
  if (isObject(own) && Object.entries(own).some(([key, value]) => isSchemaKeyword(key, value))) return own;
  const below = [typeof $ref === "string" ? lookup($ref) : undefined, ...listOf(schema["allOf"])];
  for (const key of ["anyOf", "oneOf"]) {
    const choices = listOf(schema[key]).filter((one) => Object(one)["type"] !== "null");
    if (choices.length === 1) below.push(choices[0]);
  }
  for (const one of below) {
    const found = findProperty(one, name, lookup, depth - 1);
    if (found) return found;
  }
  return undefined;
}

/** Whether a schema, or any part that a value of it may match, declares a property, be it as one that may have any value. */
export function declaresProperty(schema: unknown, name: string, lookup: Lookup, depth: number = deepest): boolean {
  if (!isObject(schema) || depth === 0) return false;
  const { properties, $ref } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  const below = compositions.flatMap((key) => listOf(schema[key]));
  if (typeof $ref === "string") below.push(lookup($ref));
  return below.some((one) => declaresProperty(one, name, lookup, depth - 1));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
