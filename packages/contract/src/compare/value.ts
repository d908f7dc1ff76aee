import type { Comparison, Pair } from "../comparison.ts";
import { type Json, brief, canonical, same } from "../json.ts";
import { type NormalizedSchema, type NormalizedSchemas, allowed, isOpen, keyword, types } from "./normalized-schema.ts";

export const valueKeys: ReadonlySet<string> = new Set(["type", "const", "enum"]);

/** Compares the JSON types that a schema allows, including null. */
export function compareTypes(comparison: Comparison, pair: Pair, views: NormalizedSchemas): void {
  const { base, revision } = views;
  comparison.exhaust(
    keyword(pair, views, "type"),
    () => {
      const before = typesOf(base);
      const now = typesOf(revision);
      // If any value was or is allowed, null is added or removed with all others.
      if (base.nullable !== revision.nullable && (before === undefined) === (now === undefined)) {
        const what = revision.nullable ? "Null was added." : "Null was removed.";
        comparison.report(revision.nullable ? "null-added" : "null-removed", pair, what);
      }
      const wider = covers(now, before);
      const narrower = covers(before, now);
      if (wider && narrower) return;
      const kind = wider ? "type-widened" : narrower ? "type-narrowed" : "type-changed";
      comparison.report(kind, pair, `The type \`${named(before)}\` became \`${named(now)}\`.`);
    },
    "rewritten",
  );
}

function named(names: readonly string[] | undefined): string {
  if (names === undefined) return "anything";
  return names.length === 0 ? "null" : names.join(" | ");
}

function typesOf(from: NormalizedSchema): readonly string[] | undefined {
  const own = types(from.keys);
  if (own !== undefined) return own;
  const values = allowed(from.keys)?.filter((value) => value !== null);
  return values && [...new Set(values.map(typeOf))];
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function covers(wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return narrow.every((name) => wide.includes(name) || (name === "integer" && wide.includes("number")));
}

/** Compares the values that `const` and `enum` allow. */
export function compareValues(comparison: Comparison, pair: Pair, views: NormalizedSchemas): void {
  const before = allowed(views.base.keys);
  const now = allowed(views.revision.keys);
  if (before === undefined && now === undefined) return;
  const open = isOpen(views.base);
  const [coming, going] = open
    ? (["member-added", "member-removed"] as const)
    : (["value-added", "value-removed"] as const);
  const at = keyword(pair, views, views.revision.keys.has("enum") || views.base.keys.has("enum") ? "enum" : "const");
  if (before === undefined || now === undefined) {
    if (before !== undefined)
      return comparison.report(coming, at, `Only ${list(before)} was allowed, now any value is.`);
    if (now !== undefined)
      return comparison.report("value-removed", at, `Any value was allowed, now only ${list(now)} is.`);
    return;
  }
  const [was, is] = [before, now].map((values) => values.filter((value) => value !== null));
  if (was === undefined || is === undefined) return;
  const added = is.filter((value) => !has(was, value));
  const removed = was.filter((value) => !has(is, value));
  if (was.length === 1 && is.length === 1 && added.length === 1) {
    return comparison.report("value-changed", at, `The constant ${list(was)} became ${list(is)}.`);
  }
  if (added.length > 0) comparison.report(coming, at, `The value ${list(added)} was added.`);
  const last = is.length === 0 && !views.revision.nullable;
  if (removed.length > 0) comparison.report(last ? "emptied" : going, at, `The value ${list(removed)} was removed.`);
  if (added.length + removed.length === 0 && canonical([...was]) !== canonical([...is])) {
    comparison.report("rewritten", at, "The values have another order.");
  }
}

function list(values: readonly Json[]): string {
  return values.map(brief).join(", ");
}

function has(values: readonly Json[], value: Json): boolean {
  return values.some((one) => same(one, value));
}
