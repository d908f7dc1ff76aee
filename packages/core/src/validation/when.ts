import type { JsonObject } from "./json.ts";

/** A schema with one branch for the values that fit a condition, and another for the rest. */
export function when(condition: JsonObject, then: unknown, otherwise?: unknown): JsonObject {
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema names it so
  return { if: condition, then, ...(otherwise !== undefined && { else: otherwise }) };
}
