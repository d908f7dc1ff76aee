import {
  items,
  references,
  same,
  companions,
  types,
  type SchemaView,
  schemaView,
  restricted,
  onlyDescribes,
  schemaKeywords,
} from "@trainyard/document";
import { sides, type Comparison, type Pair } from "../comparison.ts";
import { brief, text } from "../json.ts";
import { annotations } from "./annotations.ts";
import { type Rules, content, followed, isSameDescription, passage, truth, type SchemaViews, keyword } from "./keys.ts";
import { compareLimit, compareRange, isLimit, isRange } from "./limit.ts";
import { compareObject, objectKeys } from "./object.ts";
import { compareUnions } from "./union.ts";
import { compareTypes, compareValues, valueKeys } from "./value.ts";

/** Keywords whose two values cannot be ranked. */
const unranked = new Set(
  "pattern not if then else allOf oneOf anyOf contains dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);

/** Keywords that take values out of the reach of those that apply to the rest, so adding one may also allow more. */
const exempting = new Set("allOf if then else contains dependentSchemas prefixItems patternProperties".split(" "));

function exempts(key: string, { base, revision }: SchemaViews): boolean {
  if (!exempting.has(key)) return false;
  const rest = ["unevaluatedItems", "unevaluatedProperties"];
  return [base, revision].some(({ keys }) => rest.some((word) => (keys.get(word)?.value ?? true) !== true));
}

/** Formats by the formats that include them: each value of the first is valid in the second. */
const wider: Readonly<Record<string, readonly string[]>> = {
  uri: ["uri-reference", "iri", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
  email: ["idn-email"],
  hostname: ["idn-hostname"],
};

/** Formats of OpenAPI that say how a text is encoded. */
const encodings: ReadonlySet<string> = new Set(["base64url", "binary", "byte"]);

/** Compares formats: some include others, and the rest cannot be ranked. */
function compareFormat(comparison: Comparison, pair: Pair): void {
  const [before = "", now = ""] = [pair.base, pair.revision].map(({ value }) => text(value ?? ""));
  if (encodings.has(before) || encodings.has(now)) return content(comparison, pair, "format");
  const has = (wide: string, narrow: string): boolean => wider[narrow]?.includes(wide) === true;
  const changed = has(now, before) ? "limit-loosened" : has(before, now) ? "limit-tightened" : "rule-changed";
  passage("`format`", "rule-added", changed, "rule-removed")(comparison, pair, "format");
}

const rules: Rules = {
  ...annotations,
  ...Object.fromEntries(
    [...unranked].map((key) => [key, passage(`\`${key}\``, "rule-added", "rule-changed", "rule-removed")]),
  ),
  format: compareFormat,
  contentEncoding: content,
  contentMediaType: content,
  discriminator: passage("The discriminator", "discriminator-changed"),
  nullable: (comparison, pair) =>
    comparison.report(
      "rewritten",
      pair,
      '`nullable` has no effect in OpenAPI 3.1. If null is valid, write it as a type: `type: [string, "null"]`.',
    ),
  // If that removes a property from this direction, the comparison of its object reports it.
  readOnly: truth("access-noted", "access-noted", "read only"),
  writeOnly: truth("access-noted", "access-noted", "write only"),
  default: passage("The default", "default-added", "default-changed", "default-removed"),
};

/** Keywords with the schema of an inner value. */
const inner = new Set(["items", "contentSchema"]);

/** Compares two schemas and all that they refer to, in the current role. A missing schema allows anything. */
export function compareSchema(comparison: Comparison, pair: Pair): void {
  followed(comparison, pair, (target) =>
    comparison.exhaust(target, () => compareViews(comparison, target), "rewritten"),
  );
}

/** Whether both sides wrap a schema in the same way. Others are compared as wholes. */
function wrapsAlike(pair: Pair, { base, revision }: SchemaViews): boolean {
  const isSamePlace = pair.base.pointer === pair.revision.pointer || base.inner?.pointer === revision.inner?.pointer;
  return isSamePlace && base.depth === revision.depth && base.depth > 0;
}

/** Compares the wrapped schemas of both sides; what remains is the wrapping. */
function compareInner(comparison: Comparison, pair: Pair, views: SchemaViews): SchemaViews {
  const { base, revision } = views;
  if (base.inner === undefined || revision.inner === undefined || !wrapsAlike(pair, views)) return views;
  compareSchema(comparison, { base: base.inner, revision: revision.inner });
  return sides((side) => ({ ...views[side].shell, shell: views[side].shell, parts: [], depth: 0 }));
}

/**
 * Schemas of conditions. What they allow may widen or narrow the whole, so they are compared in both directions.
 */
function compareReferred(comparison: Comparison, pair: Pair): void {
  for (const target of references(pair.base.value)) {
    const at = sides((side) => comparison[side].at(target));
    if (at.revision.value === undefined) continue;
    for (const role of ["send", "read"] as const) comparison.as(role, () => compareSchema(comparison, at));
  }
}

/** Compares tuples by position. A place that only one side has is compared with the items of the other. */
function comparePlaces(comparison: Comparison, pair: Pair, rest: Pair): void {
  const [before, now] = [items(pair.base), items(pair.revision)];
  for (const index of Array.from({ length: Math.max(before.length, now.length) }, (_, at) => at))
    compareSchema(comparison, { base: before[index] ?? rest.base, revision: now[index] ?? rest.revision });
}

/** What remains of a view whose restrictions were compared. */
function annotated(from: SchemaView): SchemaView {
  const { union: _, ...rest } = from;
  const keys = new Map([...from.keys].filter(([key]) => onlyDescribes(key)));
  return { ...rest, keys, properties: new Map() };
}

function compareViews(comparison: Comparison, pair: Pair): void {
  const given = sides((side) => schemaView(comparison[side].root, pair[side]));
  // What cannot be merged has no keywords that can be compared one by one.
  const isSame = given.base.parts.length > 1 && comparison.hasOneMeaning(pair);
  const all = isSame
    ? sides((side) => annotated(given[side]))
    : compareUnions(comparison, pair, compareInner(comparison, pair, given));
  compareTypes(comparison, pair, all);
  compareValues(comparison, pair, all);
  // What concerns a type that only one side allows is gone, or new, with the type.
  const views = {
    base: restricted(all.base, types(all.revision.keys)),
    revision: restricted(all.revision, types(all.base.keys)),
  };
  compareObject(comparison, pair, views);
  compareRange(comparison, pair, views);
  for (const key of new Set([...views.base.keys.keys(), ...views.revision.keys.keys()])) {
    // What belongs to another keyword came, or went, with it.
    const companion = companions.get(key) ?? key;
    const [was, is] = [views.base.keys.has(companion), views.revision.keys.has(companion)];
    if (companion !== key && was !== is) continue;
    const below = keyword(pair, views, key);
    const isOther = unranked.has(key) && schemaKeywords.single.includes(key) && comparison.hasOneMeaning(below);
    const isChanged = !isOther && !same(below.base.value, below.revision.value);
    if (isChanged && exempts(key, views)) {
      const [was, is] = [below.base, below.revision].map(({ value }) => brief(value));
      comparison.report("rule-changed", below, `\`${key}\`: ${was} became ${is}.`);
      continue;
    }
    if (valueKeys.has(key) || objectKeys.has(key) || isRange(key)) continue;
    if (key === "discriminator" && (views.base.union ?? views.revision.union) !== undefined) continue;
    if (key === "description" && isSameDescription(pair)) continue;
    comparison.exhaust(
      below,
      () => {
        if (inner.has(key)) compareSchema(comparison, below);
        else if (key === "prefixItems")
          comparison.exhaust(below, () => comparePlaces(comparison, below, keyword(pair, views, "items")), "rewritten");
        else if (!isChanged) return;
        else if (isLimit(key)) compareLimit(comparison, below, key);
        else rules[key]?.(comparison, below, key);
        if (unranked.has(key)) compareReferred(comparison, below);
      },
      isOther ? "rewritten" : "unclassified",
    );
  }
}
