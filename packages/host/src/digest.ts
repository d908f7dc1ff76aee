import { hash } from "node:crypto";

/** A digest of a JSON value that does not depend on the order of properties. */
export function digestOf(value: unknown): string {
  return hash("sha256", JSON.stringify(sorted(value)), "base64url");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  // Digest objects as pairs: objects always order integer keys first, and `__proto__` would be lost.
  return {
    pairs: Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  };
}
