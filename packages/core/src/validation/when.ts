import type { JsonObject } from "./json.ts";

/** A schema that applies one branch to values that match a condition, and another to the rest. */
export function when(condition: JsonObject, then: unknown, otherwise?: unknown): JsonObject {
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema names it so
  return { if: condition, then, ...(otherwise !== undefined && { else: otherwise }) };
}
