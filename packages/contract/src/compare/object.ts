import { type DocumentNode, children, isAbsent, same, isWordless, type SchemaView } from "@trainyard/document";
import type { Comparison, Pair, Side } from "../comparison.ts";
import { type Document } from "../document.ts";
import { brief, canonical } from "../json.ts";
import { isObject, unicodePattern } from "@trainyard/core/validation";
import {
  became,
  childPair,
  keysOf,
  renamesOf,
  type SchemaViews,
  keyword,
  property,
  withoutAnnotations,
} from "./keys.ts";
import { compareSchema } from "./schema.ts";

export const objectKeys: ReadonlySet<string> = new Set(
  "properties required additionalProperties patternProperties propertyNames".split(" "),
);

/** Compares the properties of two objects: which exist, which are required, and whether others are allowed. */
export function compareObject(comparison: Comparison, pair: Pair, views: SchemaViews): void {
  const required = keyword(pair, views, "required");
  const others = keyword(pair, views, "additionalProperties");
  const names = new Set([
    ...[views.base, views.revision].flatMap(({ properties }) => [...properties.keys()]),
    ...listed(required.base),
    ...listed(required.revision),
  ]);
  const forms = ({ properties }: SchemaView, other: SchemaView): Map<string, string> =>
    new Map(
      [...properties]
        .filter(([name]) => !other.properties.has(name))
        .map(([name, { value }]) => [name, canonical(withoutAnnotations(value))]),
    );
  const patterns = keyword(pair, views, "patternProperties");
  const renamed = renamesOf(forms(views.base, views.revision), forms(views.revision, views.base));
  const rest = others.base.value === undefined ? keyword(pair, views, "unevaluatedProperties").base : others.base;
  for (const [before, now] of renamed) {
    const at = { base: property(pair, views, before).base, revision: property(pair, views, now).revision };
    const what = `The property \`${before}\` was renamed to \`${now}\`.`;
    comparison.about(at.base, () => comparison.report("property-renamed", at, what));
    names.delete(before);
    names.delete(now);
  }
  for (const name of names) {
    const at = property(pair, views, name);
    const was = listed(required.base).includes(name);
    const is = listed(required.revision).includes(name);
    const pattern = children(patterns.base).find(([one]) => matches(one, name));
    compareProperty(comparison, at, { name, was, is, others: pattern?.[1] ?? rest });
  }
  comparison.exhaust(others, () => compareOthers(comparison, others, views));
  comparison.exhaust(patterns, () => comparePatterns(comparison, patterns, others, views), "rewritten");
  const called = keyword(pair, views, "propertyNames");
  if (!same(called.base.value, called.revision.value))
    compareSchema(comparison, { base: text(called.base), revision: text(called.revision) });
}

/** Names are texts, even if their schema does not say so. */
function text({ value, pointer }: DocumentNode): DocumentNode {
  return { value: value === undefined || isObject(value) ? { type: "string", ...value } : value, pointer };
}

function matches(pattern: string, name: string): boolean {
  const found = unicodePattern(pattern);
  return found === undefined || new RegExp(found, "u").test(name);
}

/** Whether the texts at which two patterns begin differ, so that no name matches both. */
function exclude(one: string, other: string): boolean {
  const [a, b] = [one, other].map((pattern) =>
    pattern.includes("|") ? undefined : /^\^((?:[\w-](?![?*{]))+)/.exec(pattern)?.[1],
  );
  return a !== undefined && b !== undefined && !a.startsWith(b) && !b.startsWith(a);
}

/** Compares the values of names by their pattern. On a side without the pattern, the schema of the others applied to them. */
function comparePatterns(comparison: Comparison, pair: Pair, others: Pair, views: SchemaViews): void {
  for (const pattern of keysOf(pair)) {
    const at = childPair(pair, pattern);
    const without = (["base", "revision"] as const).find((side) => at[side].value === undefined);
    compareSchema(comparison, without === undefined ? at : { ...at, [without]: others[without] });
    if (without === undefined) continue;
    // A name with another schema, too, is not one of the others: the pattern only restricts it.
    const isShared =
      [...views[without].properties.keys()].some((name) => matches(pattern, name)) ||
      children(pair[without]).some(([other]) => !exclude(pattern, other));
    const kind = without === "base" ? "rule-added" : "rule-removed";
    if (isShared) comparison.report(kind, at, became(at, "`patternProperties`"));
  }
}

function listed({ value }: DocumentNode): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

interface Property {
  readonly name: string;
  /** Whether it was and is required. */
  readonly was: boolean;
  readonly is: boolean;
  /** The schema of additional properties. */
  readonly others: DocumentNode;
}

function compareProperty(comparison: Comparison, pair: Pair, about: Property): void {
  const isUsed = usedSides(comparison, pair);
  if (!isUsed.base || !isUsed.revision) return compareAccess(comparison, pair, isUsed, about);
  const { name, was, is, others } = about;
  if (pair.base.value === undefined && !was) {
    const added = others.value === false ? "property-added-to-closed" : "property-added";
    const kind = is ? "property-added-required" : added;
    comparison.report(kind, pair, `The ${is ? "required" : "optional"} property \`${name}\` was added.`);
    // Before, additional properties of this name had to match the schema of the others.
    if (isObject(others.value)) compareSchema(comparison, { base: others, revision: pair.revision });
    return;
  }
  if (pair.revision.value === undefined && !is) {
    comparison.about(pair.base, () =>
      comparison.report("property-removed", pair, `The property \`${name}\` was removed.`),
    );
    return;
  }
  if (is && !was) comparison.report("property-required", pair, `The property \`${name}\` was made required.`);
  if (was && !is) {
    comparison.about(pair.base, () =>
      comparison.report("property-optional", pair, `The property \`${name}\` was made optional.`),
    );
  }
  compareSchema(comparison, pair);
}

/** Compares a property that is not used in this direction on both sides. A read-only property is not part of a request. */
function compareAccess(comparison: Comparison, pair: Pair, isUsed: Used, { name, is }: Property): void {
  const { base, revision } = pair;
  if (isUsed.base) {
    const what = `The property \`${name}\` is now used only in the other direction.`;
    comparison.about(base, () => comparison.report("access-changed", pair, what));
  } else if (isUsed.revision) {
    const kind = is ? "property-added-required" : "access-gained";
    comparison.report(kind, pair, `The property \`${name}\` is now also used in this direction.`);
  } else if (!same(base.value, revision.value)) {
    comparison.report("access-noted", pair, `The property \`${name}\` is used only in the other direction.`);
  }
}

/** What `additionalProperties` allows: nothing, values of a schema, anything. */
function openness({ value }: DocumentNode): number {
  if (value === false) return 0;
  return value === undefined || isWordless(value) ? 2 : 1;
}

function compareOthers(comparison: Comparison, pair: Pair, { base }: SchemaViews): void {
  const was = openness(pair.base);
  const is = openness(pair.revision);
  if (was === 1 && is === 1) return compareSchema(comparison, pair);
  const values = `${brief(pair.base.value)} became ${brief(pair.revision.value)}.`;
  // Callers read the entries of a map, but do not rely on additional properties of other objects.
  const lost = is === 0 && (was === 1 || base.properties.size === 0);
  if (is < was) {
    const kind = lost ? "properties-lost" : "properties-closed";
    return comparison.report(kind, pair, `Other properties ${refused[is]}: ${values}`);
  }
  if (is > was) return comparison.report("properties-opened", pair, `Other properties ${allowed[is]}: ${values}`);
  comparison.exhaust(pair, () => undefined, "rewritten");
}

const refused = ["are no longer allowed", "must now match a schema"];
const allowed = ["", "are now allowed if they match a schema", "may now have any value"];

type Used = Readonly<Record<Side, boolean>>;

/**
 * The sides on which a property is used in the current direction: a read-only property is not sent, and a write-only
 * property is not read. A side without the property is treated like the other side, so that additions and removals are
 * reported as such.
 */
function usedSides({ base, revision, role }: Comparison, pair: Pair): Used {
  const isUsed = ({ root }: Document, { value }: DocumentNode): boolean | undefined =>
    value === undefined ? undefined : !isAbsent(root, value, role === "send" ? "request" : "response");
  const [was, is] = [isUsed(base, pair.base), isUsed(revision, pair.revision)];
  return { base: was ?? is ?? true, revision: is ?? was ?? true };
}
