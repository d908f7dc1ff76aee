import { type Json, ends, type SchemaView } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { text } from "../json.ts";
import { became, type SchemaViews, keyword } from "./keys.ts";

export function isLimit(key: string): boolean {
  return /^(?:(?:min|max)(?:Length|Items|Properties|Contains)|uniqueItems|multipleOf)$/.test(key);
}

/** Keywords that {@link compareRange} compares together. */
export function isRange(key: string): boolean {
  return ends.some(({ inclusive, exclusive }) => key === inclusive || key === exclusive);
}

/** The strictness of a limit: higher is stricter; without a limit, the lowest. */
function strictness(key: string, value: Json | undefined): number {
  if (key === "uniqueItems") return value === true ? 1 : 0;
  // Without `minContains`, one item must match.
  if (typeof value !== "number") return key === "minContains" ? 1 : -Infinity;
  return key.startsWith("max") ? -value : value;
}

/** Compares a limit whose two values can be ranked. */
export function compareLimit(comparison: Comparison, pair: Pair, key: string): void {
  if (key === "multipleOf") return compareStep(comparison, pair);
  const before = strictness(key, pair.base.value);
  const now = strictness(key, pair.revision.value);
  const isEmpty = pair.revision.value === 0 && key.startsWith("max") && key !== "maxContains";
  const tightened = isEmpty ? "emptied" : "limit-tightened";
  comparison.report(now > before ? tightened : "limit-loosened", pair, became(pair, `\`${key}\``));
}

/** Multiples of 4 are multiples of 2. */
function compareStep(comparison: Comparison, pair: Pair): void {
  const [before, now] = [pair.base, pair.revision].map(({ value }) => value);
  const tighter = before === undefined || divides(before, now);
  const looser = now === undefined || divides(now, before);
  const kind = tighter ? "limit-tightened" : looser ? "limit-loosened" : "rule-changed";
  comparison.report(kind, pair, became(pair, "`multipleOf`"));
}

function divides(step: Json | undefined, value: Json | undefined): boolean {
  const times = Number(value) / Number(step);
  return Math.abs(times - Math.round(times)) < 1e-9;
}

/** Compares ranges of numbers, of which each end has one keyword. */
export function compareRange(comparison: Comparison, pair: Pair, views: SchemaViews): void {
  for (const { inclusive, exclusive, sign } of ends) {
    const end = ({ keys }: SchemaView): string | undefined => [inclusive, exclusive].find((key) => keys.has(key));
    const [was, is] = [end(views.base), end(views.revision)];
    const key = is ?? was;
    if (key === undefined) continue;
    const at = {
      base: keyword(pair, views, was ?? key).base,
      revision: keyword(pair, views, key).revision,
    };
    const [before, now] = [at.base, at.revision].map(({ value }) =>
      typeof value === "number" ? value * sign : -Infinity,
    );
    const order = before === now ? Number(is === exclusive) - Number(was === exclusive) : Number(now) - Number(before);
    const what =
      was === undefined || was === key
        ? became(at, `\`${key}\``)
        : `\`${was} ${text(at.base.value)}\` became \`${key} ${text(at.revision.value)}\`.`;
    if (order !== 0) comparison.report(order > 0 ? "limit-tightened" : "limit-loosened", at, what);
  }
}
