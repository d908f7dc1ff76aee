import type { Comparison, Pair } from "../comparison.ts";
import type { Json } from "../json.ts";
import { became } from "./keys.ts";

const upper = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]);
const lower = new Set(["minimum", "exclusiveMinimum"]);
/** Lower limits that hold nothing back at 0. */
const counts = new Set(["minLength", "minItems", "minProperties"]);

export function isLimit(key: string): boolean {
  return upper.has(key) || lower.has(key) || counts.has(key) || key === "uniqueItems";
}

/** How much a limit holds back: more is stricter, and where there is none, nothing. */
function strictness(key: string, value: Json | undefined): number {
  if (key === "uniqueItems") return value === true ? 1 : 0;
  if (typeof value !== "number") return counts.has(key) ? 0 : -Infinity;
  return upper.has(key) ? -value : value;
}

/** Compares a limit whose two values can be ranked. */
export function compareLimit(comparison: Comparison, pair: Pair, key: string): void {
  const before = strictness(key, pair.base.value);
  const now = strictness(key, pair.revision.value);
  const kind = now > before ? "limit-tightened" : now < before ? "limit-loosened" : "rewritten";
  comparison.report(kind, pair, became(pair, `\`${key}\``));
}
