import { isObject, type JsonObject } from "./json.ts";

/** A JSON type. Integers are numbers. */
export type JsonType = "string" | "number" | "boolean" | "null" | "array" | "object";

/** Resolves a `$ref` to its schema. */
export type Lookup = (reference: string) => unknown;

const all: readonly JsonType[] = ["string", "number", "boolean", "null", "array", "object"];

/** The JSON types that a schema may accept. Includes a type in case of doubt. */
export function typesOf(schema: unknown, lookup: Lookup, seen: ReadonlySet<string> = new Set()): Set<JsonType> {
  if (schema === false) return new Set();
  let types = new Set(all);
  if (!isObject(schema)) return types;
  const limit = (other: Iterable<JsonType>) => {
    const permitted = new Set(other);
    types = new Set([...types].filter((type) => permitted.has(type)));
  };

  if (schema["type"] !== undefined) limit([schema["type"]].flat().map(asJsonType));
  if ("const" in schema) limit([jsonTypeOf(schema["const"])]);
  if (Array.isArray(schema["enum"])) limit(schema["enum"].map(jsonTypeOf));
  const reference = schema["$ref"];
  if (typeof reference === "string" && !seen.has(reference)) {
    limit(typesOf(lookup(reference), lookup, new Set(seen).add(reference)));
  }
  if (Array.isArray(schema["allOf"])) for (const part of schema["allOf"]) limit(typesOf(part, lookup, seen));
  for (const union of [schema["anyOf"], schema["oneOf"]]) {
    if (Array.isArray(union)) limit(union.flatMap((branch) => Array.from(typesOf(branch, lookup, seen))));
  }
  return types;
}

/** Whether a schema that accepts numbers accepts only integers. */
export function isInteger(schema: unknown, lookup: Lookup): boolean {
  const target = followReference(schema, lookup);
  if (!isObject(target)) return false;
  const types = new Set([target["type"]].flat());
  return types.has("integer") && !types.has("number");
}

/** The target of a `$ref`, or the schema itself. */
export function followReference(schema: unknown, lookup: Lookup): unknown {
  let target = schema;
  for (let hops = 0; isObject(target) && typeof target["$ref"] === "string" && hops < 32; hops++) {
    target = lookup(target["$ref"]);
  }
  return target;
}

function asJsonType(name: unknown): JsonType {
  return name === "integer" ? "number" : (all.find((type) => type === name) ?? "object");
}

/** The JSON type of a value. */
export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : asJsonType(typeof value);
}

/** Whether a value has a type as schemas name it: an integer is a number, too. */
export function hasType(value: unknown, type: unknown): boolean {
  return type === "integer" ? Number.isInteger(value) : jsonTypeOf(value) === type;
}

const annotations = new Set(
  "title description summary examples example deprecated readOnly writeOnly externalDocs xml $comment".split(" "),
);

/** Whether a keyword is an annotation without effect on validation. Generated validators leave these out. */
export function isAnnotation(key: string): boolean {
  return annotations.has(key) || key.startsWith("x-");
}

/** A schema that applies one branch to values that match a condition, and another to the rest. */
export function when(condition: JsonObject, then: unknown, otherwise?: unknown): JsonObject {
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema names it so
  return { if: condition, then, ...(otherwise !== undefined && { else: otherwise }) };
}
