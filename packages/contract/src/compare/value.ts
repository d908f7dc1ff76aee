import { type SchemaViews, keyword } from "./keys.ts";
import { type Json, same, allowed, types, type SchemaView, isOpen } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { brief } from "../json.ts";

export const valueKeys: ReadonlySet<string> = new Set(["type", "const", "enum"]);

/** The schema of a parameter, in which null stands for a parameter that is left out. */
const ofParameter = /^\/(?:paths\/[^/]+(?:\/[^/]+)?|components)\/parameters\/[^/]+\/schema$/;

/** Compares the JSON types that a schema allows, including null. */
export function compareTypes(comparison: Comparison, pair: Pair, views: SchemaViews): void {
  const { base, revision } = views;
  comparison.exhaust(
    keyword(pair, views, "type"),
    () => {
      const before = types(base.keys);
      const now = types(revision.keys);
      // If any value was or is allowed, null is added or removed with all others.
      if (base.nullable !== revision.nullable && (before === undefined) === (now === undefined)) {
        const removed = ofParameter.test(pair.base.pointer) ? "parameter-null-removed" : "null-removed";
        if (revision.nullable) comparison.report("null-added", pair, "Null was added.");
        else comparison.report(removed, pair, "Null was removed.");
      }
      const wider = covers(now, before);
      const narrower = covers(before, now);
      if (wider && narrower) return;
      const isEmpty = now?.length === 0;
      const kind = isEmpty ? "emptied" : wider ? "type-widened" : narrower ? "type-narrowed" : "type-changed";
      comparison.report(kind, pair, `The type \`${named(base)}\` became \`${named(revision)}\`.`);
    },
    "rewritten",
  );
}

function named({ keys, nullable }: SchemaView): string {
  const names = types(keys);
  if (names === undefined) return "anything";
  return names.join(" | ") || (nullable ? "null" : "nothing");
}

function covers(wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return narrow.every((name) => wide.includes(name) || (name === "integer" && wide.includes("number")));
}

/** Compares the values that `const` and `enum` allow. */
export function compareValues(comparison: Comparison, pair: Pair, views: SchemaViews): void {
  const before = allowed(views.base.keys);
  const now = allowed(views.revision.keys);
  // Types do not list the names of properties that a schema only restricts.
  const [coming, going] = isOpen(views.base)
    ? (["member-added", "member-removed"] as const)
    : pair.base.pointer.endsWith("/propertyNames")
      ? (["limit-loosened", "limit-tightened"] as const)
      : (["value-added", "value-removed"] as const);
  const at = keyword(pair, views, views.revision.keys.has("enum") || views.base.keys.has("enum") ? "enum" : "const");
  if (before === undefined) {
    if (now !== undefined) comparison.report("limit-tightened", at, `Any value was allowed, now only ${list(now)} is.`);
    return;
  }
  if (now === undefined) return comparison.report(coming, at, `Only ${list(before)} was allowed, now any value is.`);
  const was = before.filter((value) => value !== null);
  const is = now.filter((value) => value !== null);
  const added = is.filter((value) => !has(was, value));
  const removed = was.filter((value) => !has(is, value));
  if (was.length === 1 && is.length === 1 && added.length === 1) {
    return comparison.report("value-changed", at, `The constant ${list(was)} became ${list(is)}.`, removed);
  }
  if (added.length > 0) comparison.report(coming, at, `The value ${list(added)} was added.`);
  if (removed.length > 0)
    comparison.report(is.length === 0 ? "emptied" : going, at, `The value ${list(removed)} was removed.`, removed);
}

function list(values: readonly Json[]): string {
  return values.map(brief).join(", ");
}

function has(values: readonly Json[], value: Json): boolean {
  return values.some((one) => same(one, value));
}
