import type { Comparison, Pair } from "../comparison.ts";
import type { Json } from "../json.ts";
import { text } from "../json.ts";
import { became } from "./keys.ts";
import { type NormalizedSchema, type NormalizedSchemas, keyword, types } from "./normalized-schema.ts";

const upper = new Set(["maxLength", "maxItems", "maxProperties", "maxContains"]);
/** Lower limits. They have no effect at 0, and `minContains` at 1. */
const counts = new Set(["minLength", "minItems", "minProperties", "minContains"]);
/** The ends of a range of numbers, each with two keywords. */
const ranges = new Set(["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"]);
/** These have no effect at 0. */
const sizes = new Set(["maxLength", "maxItems", "maxProperties"]);

export function isLimit(key: string): boolean {
  return upper.has(key) || counts.has(key) || key === "uniqueItems" || key === "multipleOf";
}

/** Keywords that {@link compareRange} compares together. */
export function isRange(key: string): boolean {
  return ranges.has(key);
}

/** The strictness of a limit: higher is stricter; without a limit, the lowest. */
function strictness(key: string, value: Json | undefined): number {
  if (key === "uniqueItems") return value === true ? 1 : 0;
  if (typeof value !== "number") return counts.has(key) ? Number(key === "minContains") : -Infinity;
  return upper.has(key) ? -value : value;
}

/** Compares a limit whose two values can be ranked. */
export function compareLimit(comparison: Comparison, pair: Pair, key: string, views: NormalizedSchemas): void {
  if (key === "multipleOf") return compareStep(comparison, pair, views);
  const before = strictness(key, pair.base.value);
  const now = strictness(key, pair.revision.value);
  const tightened = sizes.has(key) && pair.revision.value === 0 ? "emptied" : "limit-tightened";
  const kind = now > before ? tightened : now < before ? "limit-loosened" : "rewritten";
  comparison.report(kind, pair, became(pair, `\`${key}\``));
}

/** Multiples of 4 are multiples of 2. */
function compareStep(comparison: Comparison, pair: Pair, { base, revision }: NormalizedSchemas): void {
  const [before, now] = [step(base, pair.base.value), step(revision, pair.revision.value)];
  const tighter = before === undefined || (now !== undefined && divides(before, now));
  const looser = now === undefined || (before !== undefined && divides(now, before));
  const kind =
    tighter && looser ? "rewritten" : tighter ? "limit-tightened" : looser ? "limit-loosened" : "rule-changed";
  comparison.report(kind, pair, became(pair, "`multipleOf`"));
}

/** Every integer is a multiple of 1. */
function step(view: NormalizedSchema, value: Json | undefined): number | undefined {
  if (typeof value !== "number" || (value === 1 && onlyIntegers(view))) return undefined;
  return value;
}

function divides(step: number, value: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
}

function onlyIntegers(view: NormalizedSchema): boolean {
  return types(view.keys)?.every((type) => type !== "number") ?? false;
}

interface End {
  readonly limit: number;
  readonly open: boolean;
}

const ends = [
  { inclusive: "minimum", exclusive: "exclusiveMinimum", sign: 1 },
  { inclusive: "maximum", exclusive: "exclusiveMaximum", sign: -1 },
] as const;

/** Compares ranges of numbers in any notation: for integers, above 0 is the same as from 1. */
export function compareRange(comparison: Comparison, pair: Pair, views: NormalizedSchemas): void {
  for (const { inclusive, exclusive, sign } of ends) {
    const end = (view: NormalizedSchema): End | undefined => {
      const integers = onlyIntegers(view);
      const found = [inclusive, exclusive].flatMap((key): End[] => {
        const value = view.keys.get(key)?.value;
        if (typeof value !== "number") return [];
        const open = key === exclusive;
        // Negated at the upper end, so that higher is stricter at both ends.
        const limit = value * sign;
        if (!integers) return [{ limit, open }];
        return [{ limit: open ? Math.floor(limit) + 1 : Math.ceil(limit), open: false }];
      });
      return found.toSorted((a, b) => stricter(b, a))[0];
    };
    const [before, now] = [end(views.base), end(views.revision)];
    const written = (view: NormalizedSchema): string[] => [inclusive, exclusive].filter((key) => view.keys.has(key));
    const keys = [...new Set([...written(views.revision), ...written(views.base)])];
    const pairs = keys.map((key) => ({ key, at: keyword(pair, views, key) }));
    const changed = pairs.filter(({ at }) => at.base.value !== at.revision.value);
    const [first] = changed;
    if (first === undefined) continue;
    const order = stricter(now, before);
    const kind = order > 0 ? "limit-tightened" : order < 0 ? "limit-loosened" : "rewritten";
    const limitsOf = (from: NormalizedSchema): string =>
      written(from)
        .map((key) => `${key} ${text(from.keys.get(key)?.value)}`)
        .join(", ");
    const what =
      changed.length === 1
        ? became(first.at, `\`${first.key}\``)
        : `\`${limitsOf(views.base) || "no limit"}\` became \`${limitsOf(views.revision) || "no limit"}\`.`;
    comparison.report(kind, first.at, what);
  }
}

/** Positive if the first is stricter. */
function stricter(a: End | undefined, b: End | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return a.limit === b.limit ? Number(a.open) - Number(b.open) : a.limit - b.limit;
}
