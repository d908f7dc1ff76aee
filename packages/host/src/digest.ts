import { createHash } from "node:crypto";

/** A digest of a JSON value that does not depend on the order of properties. */
export function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("base64url");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  // As pairs: the order of an object's own integer keys cannot be chosen, nor may `__proto__` be lost.
  return {
    pairs: Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  };
}
