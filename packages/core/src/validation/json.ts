/** A JSON object of which nothing is known yet. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object: no array, no null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Finds what a local reference (`#/components/schemas/Model`) means in a document. Undefined where there is nothing. */
export function resolvePointer(document: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let target = document;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(target)) target = target[Number(key)];
    else if (isObject(target) && Object.hasOwn(target, key)) target = target[key];
    else return undefined;
  }
  return target;
}
