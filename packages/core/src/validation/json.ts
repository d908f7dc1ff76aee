/** A JSON object with unknown properties. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object, not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
