import {
  type DocumentNode,
  type Json,
  absent,
  allowed,
  child,
  reference,
  same,
  type SchemaView,
  isOpen,
  onlyDescribes,
  schemaView,
} from "@trainyard/document";
import { isObject, joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import { sides, type Comparison, type Pair } from "../comparison.ts";
import { type Document } from "../document.ts";
import { type JsonObject, text } from "../json.ts";
import {
  became,
  childPair,
  isOneSided,
  keysOf,
  passage,
  type SchemaViews,
  keyword,
  withoutAnnotations,
} from "./keys.ts";
import { compareSchema } from "./schema.ts";
import { type Matched, label, match, overlap } from "./variant.ts";

/**
 * Compares the variants of unions, and returns the views that remain to be compared. If only one side is a union, the other
 * is treated as a union of one variant.
 */
export function compareUnions(comparison: Comparison, pair: Pair, views: SchemaViews): SchemaViews {
  const { base, revision } = views;
  if (base.union === undefined && revision.union === undefined) return views;
  const before = base.union?.variants ?? [base.inner ?? wordless(pair.base)];
  const now = revision.union?.variants ?? [revision.inner ?? wordless(pair.revision)];
  if (base.union !== undefined && revision.union !== undefined) {
    const matched = compareVariants(comparison, pair, views, before, now);
    compareKey(comparison, pair, views);
    compareDiscriminator(comparison, keyword(pair, views, "discriminator"), matched);
    return views;
  }
  const plain = base.union === undefined ? base : revision;
  if (says(plain).length === 0) {
    const narrower = plain === base;
    const what = narrower ? "Any value was allowed, now only a union is." : "A union was allowed, now any value is.";
    comparison.report(narrower ? "type-narrowed" : "type-widened", pair, what);
    // Null is added or removed with all other values.
    return { base: { ...quiet(base), nullable: true }, revision: { ...quiet(revision), nullable: true } };
  }
  compareVariants(comparison, pair, views, before, now);
  compareKey(comparison, pair, views);
  // The plain side's own properties were compared with those of the variants.
  const { properties } = plain === base ? revision : base;
  const outer = (from: SchemaView): SchemaView => ({
    ...quiet(from),
    properties: new Map([...from.properties].filter(([name]) => properties.has(name))),
  });
  return { base: outer(base), revision: outer(revision) };
}

/** A schema without its annotations, which stay with the union that it becomes. */
function wordless({ value, pointer }: DocumentNode): DocumentNode {
  return { value: withoutAnnotations(value), pointer };
}

/** The keywords that restrict values. */
function says(from: SchemaView): string[] {
  return [...from.keys.keys()].filter((key) => !onlyDescribes(key) && key !== "default");
}

/**
 * What remains of a view after its only variant was compared: its annotations, and for a union the keywords that apply to
 * all variants except their type, which each variant has.
 */
function quiet(from: SchemaView): SchemaView {
  const around = from.union === undefined && from.inner !== undefined ? from.shell.keys : from.keys;
  const implied = from.union === undefined ? says(from) : ["type", "discriminator"];
  return { ...from, keys: new Map([...around].filter(([key]) => !implied.includes(key))) };
}

function compareVariants(
  comparison: Comparison,
  pair: Pair,
  { base, revision }: SchemaViews,
  before: readonly DocumentNode[],
  now: readonly DocumentNode[],
): Matched {
  const matched = match(comparison, before, now);
  for (const variant of matched.pairs) {
    const was = schemaView(comparison.base.root, variant.base);
    const is = schemaView(comparison.revision.root, variant.revision);
    // Null is as valid as before, and another variant permits it.
    const isMoved = base.nullable === revision.nullable && was.nullable !== is.nullable;
    compareSchema(comparison, isMoved ? { base: notNull(variant.base), revision: notNull(variant.revision) } : variant);
  }
  const isOnly = (at: Pair, name: string): boolean =>
    isOpen(base)
      ? isOneSided(comparison, at, name, "member-added", "member-removed")
      : isOneSided(comparison, at, name, "variant-added", "variant-removed");
  for (const come of matched.added)
    isOnly({ base: absent(pair.base), revision: come }, `variant ${label(comparison.revision, come)}`);
  for (const gone of matched.removed)
    isOnly({ base: gone, revision: absent(pair.revision) }, `variant ${label(comparison.base, gone)}`);
  const turns = matched.pairs.map((one) => [before.indexOf(one.base), now.indexOf(one.revision)] as const);
  const inOrder = turns.toSorted(([a], [b]) => a - b).every(([, at], index, all) => at >= (all[index - 1]?.[1] ?? 0));
  if (!inOrder) comparison.report("rewritten", pair, "The variants have another order.");
  return matched;
}

const anything = ["string", "number", "boolean", "object", "array"];

/** A schema without null. What it contains keeps its place. */
function notNull({ value = true, pointer }: DocumentNode): DocumentNode {
  if (value !== true && !isObject(value)) return { value, pointer };
  const { type = anything, ...rest } = value === true ? {} : value;
  return { value: { ...rest, type: [type].flat().filter((name) => name !== "null") }, pointer };
}

/** How many pairs of variants have values in common. */
function clashes(document: Document, { union }: SchemaView, but?: string): number {
  const pairs = union?.variants.flatMap((one, at) =>
    union.variants.slice(at + 1).map((other) => [one, other] as const),
  );
  return (pairs ?? []).filter(([one, other]) => overlap(document, one, other, but)).length;
}

/**
 * Compares how many variants must match. With a discriminator, or without common values, no value matches several: then
 * `oneOf` and `anyOf` mean the same, and a new variant of `oneOf` takes no value from another one.
 */
function compareKey(comparison: Comparison, pair: Pair, { base, revision }: SchemaViews): void {
  const keys = [base.union?.key, revision.union?.key];
  if (!keys.includes("oneOf") || (base.keys.has("discriminator") && revision.keys.has("discriminator"))) return;
  // Objects of a `oneOf` are told apart by their properties.
  const but = keys.includes("anyOf") ? undefined : "object";
  const before = clashes(comparison.base, base, but);
  const now = clashes(comparison.revision, revision, but);
  const change = but !== undefined ? now - before : keys[1] === "oneOf" ? before + now : -before - now;
  if (change > 0) comparison.report("union-stricter", pair, "Exactly one variant must match now.");
  if (change < 0) comparison.report("union-looser", pair, "Several variants may match now.");
}

function compareDiscriminator(comparison: Comparison, pair: Pair, matched: Matched): void {
  if (!isObject(pair.base.value) || !isObject(pair.revision.value)) {
    if (pair.base.value !== pair.revision.value) {
      comparison.report("discriminator-changed", pair, became(pair, "The discriminator"));
    }
    return;
  }
  for (const key of keysOf(pair)) {
    const below = childPair(pair, key);
    if (same(below.base.value, below.revision.value)) continue;
    if (key === "mapping") {
      const { pairs, added, removed } = matched;
      const lone = { base: removed, revision: added };
      const variants = sides((side) => [...pairs.map((one) => one[side]), ...lone[side]]);
      const whole = sides((side) => wholeMapping(comparison[side], pair[side], variants[side]));
      compareMapping(comparison, whole, matched);
    } else comparison.report("discriminator-changed", below, became(below, `\`${key}\` of the discriminator`));
  }
}

/**
 * A mapping with what it need not say: a variant that it does not name has the values of its tag, or else its own name. A name
 * stands for the schema of that name.
 */
function wholeMapping(document: Document, node: DocumentNode, variants: readonly DocumentNode[]): DocumentNode {
  const { propertyName, mapping = {} }: JsonObject = isObject(node.value) ? node.value : {};
  const said = Object.entries(isObject(mapping) ? mapping : {}).map(([value, to]): [string, Json] => {
    const pointer = join("#/components/schemas", text(to));
    return [value, document.at(pointer.slice(1)).value === undefined ? to : pointer];
  });
  const implied = variants.flatMap((variant): [string, Json][] => {
    const target = reference(variant.value);
    if (target === undefined || said.some(([, to]) => to === `#${target}`)) return [];
    const tag = schemaView(document.root, variant).properties.get(text(propertyName));
    const values = tag && allowed(schemaView(document.root, tag).keys);
    return (values ?? [tokens(target).at(-1) ?? ""]).map((value) => [text(value), `#${target}`]);
  });
  return { value: Object.fromEntries([...implied, ...said]), pointer: child(node, "mapping").pointer };
}

function refers(node: DocumentNode, target: DocumentNode): boolean {
  return isObject(node.value) && node.value["$ref"] === target.value && target.value !== undefined;
}

/** Mapping entries that are added or removed with their variant need no report of their own. */
function compareMapping(comparison: Comparison, pair: Pair, { pairs, added, removed }: Matched): void {
  for (const key of keysOf(pair)) {
    const entry = childPair(pair, key);
    const { base, revision } = entry;
    if (base.value === revision.value) continue;
    const moved = pairs.some((variant) => refers(variant.base, base) && refers(variant.revision, revision));
    const came = base.value === undefined && added.some((node) => refers(node, revision));
    const went = revision.value === undefined && removed.some((node) => refers(node, base));
    if (moved || came || went) continue;
    const compareEntry = passage(`The variant for \`${key}\``, "value-added", "discriminator-changed", "value-removed");
    compareEntry(comparison, entry, key);
  }
}
