/** JSON as it is read: narrowed where it is used. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at a key, or an empty one that belongs to nobody. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const at = value[key];
  return isObject(at) ? at : {};
}

export function stringAt(value: JsonObject, key: string): string | undefined {
  const at = value[key];
  return typeof at === "string" ? at : undefined;
}

/** Every object in a value, itself included, with the keys that lead to it. */
export function* objectsIn(
  value: Json | undefined,
  path: readonly string[] = [],
): Generator<[JsonObject, readonly string[]]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsIn(item, [...path, String(index)]);
  } else if (isObject(value)) {
    yield [value, path];
    for (const [key, item] of Object.entries(value)) yield* objectsIn(item, [...path, key]);
  }
}
