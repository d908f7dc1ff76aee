/** Guards for the values in a document, which may be anything. */
import { isObject, type JsonObject } from "@trainyard/core/validation";

/** The value as an object, empty if it is something else: Redocly's own rule `struct` reports that. */
export function nodeOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list, empty if it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isReference(value: unknown): value is JsonObject & { readonly $ref: string } {
  return isObject(value) && typeof value["$ref"] === "string";
}

/** An own member of an object: a document may have a property named `constructor`. */
export function member(node: JsonObject, key: string): unknown {
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
