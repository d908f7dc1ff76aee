import type { Comparison, Pair } from "../comparison.ts";
import type { DocumentNode } from "../document.ts";
import { type Json, brief, canonical, isObject, same } from "../json.ts";
import { type Access, accessOf } from "./access.ts";
import { annotations } from "./annotations.ts";
import { renamesOf } from "./keys.ts";
import { compareSchema } from "./schema.ts";
import { type NormalizedSchema, type NormalizedSchemas, keyword, property } from "./normalized-schema.ts";

export const objectKeys: ReadonlySet<string> = new Set(["properties", "required", "additionalProperties"]);

/** Compares the properties of two objects: which exist, which are required, and whether others are allowed. */
export function compareObject(comparison: Comparison, pair: Pair, views: NormalizedSchemas): void {
  const required = keyword(pair, views, "required");
  const others = keyword(pair, views, "additionalProperties");
  const names = new Set([
    ...[views.base, views.revision].flatMap(({ properties }) => [...properties.keys()]),
    ...listed(required.base),
    ...listed(required.revision),
  ]);
  const forms = ({ properties }: NormalizedSchema, other: NormalizedSchema): Map<string, string> =>
    new Map(
      [...properties]
        .filter(([name]) => !other.properties.has(name))
        .map(([name, { value }]) => [name, canonical(form(value))]),
    );
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
    compareProperty(comparison, at, { name, was, is, others: rest });
  }
  const [before, now] = [listed(required.base), listed(required.revision)];
  if (before.length === now.length && now.every((name) => before.includes(name)) && !same(before, now)) {
    comparison.report("rewritten", required, "The required properties have another order.");
  }
  comparison.exhaust(others, () => compareOthers(comparison, others, views));
}

function listed({ value }: DocumentNode): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

/** A schema without its annotations. */
function form(value: Json | undefined): Json {
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(annotations, key)));
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
  const access = accessOf(comparison, pair);
  if (access !== "both") return compareAccess(comparison, pair, access, about);
  const { name, was, is, others } = about;
  if (pair.base.value === undefined && !was) {
    const kind = is
      ? "property-added-required"
      : others.value === false
        ? "property-added-to-closed"
        : "property-added";
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
function compareAccess(comparison: Comparison, pair: Pair, access: Access, { name, is }: Property): void {
  const { base, revision } = pair;
  if (access === "before") {
    const what = `The property \`${name}\` is now used only in the other direction.`;
    comparison.about(base, () => comparison.report("access-changed", pair, what));
  } else if (access === "now") {
    const kind = is ? "property-added-required" : "access-gained";
    comparison.report(kind, pair, `The property \`${name}\` is now also used in this direction.`);
  } else if (!same(base.value, revision.value)) {
    comparison.report("access-noted", pair, `The property \`${name}\` is used only in the other direction.`);
  }
}

/** What `additionalProperties` allows: nothing, values of a schema, anything. */
function openness({ value }: DocumentNode): number {
  if (value === false) return 0;
  return isObject(value) && Object.keys(value).length > 0 ? 1 : 2;
}

function compareOthers(comparison: Comparison, pair: Pair, { base }: NormalizedSchemas): void {
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
