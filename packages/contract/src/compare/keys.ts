import {
  absent,
  dialect,
  ownDescription,
  onlyDescribes,
  type DocumentNode,
  type Json,
  type SchemaView,
  child,
  children,
  same,
} from "@trainyard/document";
import { sides, type Comparison, type Pair, type Side } from "../comparison.ts";
import { type Document } from "../document.ts";
import { brief, type JsonObject } from "../json.ts";
import { isObject } from "@trainyard/core/validation";
import type { Kind } from "../kinds.ts";

/** Compares the values at one key of a pair. */
export type Compare = (comparison: Comparison, pair: Pair, key: string) => void;

/** The rules for the keys whose values differ. A key without a rule is unclassified. */
export type Rules = Readonly<Record<string, Compare>>;

export function childPair(pair: Pair, key: string | number): Pair {
  return sides((side) => child(pair[side], key));
}

/** The same schema on both sides. */
export type SchemaViews = Readonly<Record<Side, SchemaView>>;

/** Both sides of a property, with references resolved. */
export function property(pair: Pair, views: SchemaViews, name: string): Pair {
  return sides((side) => views[side].properties.get(name) ?? absent(child(child(pair[side], "properties"), name)));
}

/** Both sides of a keyword, with references resolved. */
export function keyword(pair: Pair, views: SchemaViews, key: string): Pair {
  return sides((side) => views[side].keys.get(key) ?? absent(child(pair[side], key)));
}

export function withoutAnnotations(schema: Json | undefined): Json | undefined {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !onlyDescribes(key)));
}

export function keysOf(pair: Pair): string[] {
  const { base, revision } = pair;
  return [...new Set([base, revision].flatMap((node) => (isObject(node.value) ? Object.keys(node.value) : [])))];
}

/** The members of two objects by a form of their names: headers ignore case. */
export function membersOf(pair: Pair, form: (name: string) => string): { readonly name: string; readonly at: Pair }[] {
  const listed = [pair.base, pair.revision].map((node) => children(node).map(([name]) => name));
  // Names of one form within one object are different members.
  const isAlone = (name: string): boolean =>
    listed.every((names) => names.filter((other) => form(other) === form(name)).length < 2);
  const find = (node: DocumentNode, name: string): DocumentNode =>
    (isAlone(name) ? children(node).find(([other]) => form(other) === form(name))?.[1] : undefined) ??
    child(node, name);
  const names = new Map(keysOf(pair).map((name) => [isAlone(name) ? form(name) : name, name]));
  return [...names.values()].map((name) => ({
    name,
    at: sides((side) => find(pair[side], name)),
  }));
}

export interface Plan {
  /** Rules that report a changed value. */
  readonly rules?: Rules;
  /** Keys to descend into. A target may have changed behind an unchanged reference. */
  readonly into?: Rules;
  /** Keys that are compared elsewhere. */
  readonly skip?: readonly string[];
}

/** Compares two objects key by key, so that no key is missed. */
export function compareKeys(comparison: Comparison, pair: Pair, { rules = {}, into = {}, skip = [] }: Plan): void {
  for (const key of keysOf(pair)) {
    if (skip.includes(key) || (key === "description" && isSameDescription(pair))) continue;
    const below = childPair(pair, key);
    if (comparison.untouched(below)) continue;
    comparison.exhaust(below, () => {
      if (Object.hasOwn(into, key)) into[key]?.(comparison, below, key);
      else if (Object.hasOwn(rules, key) && !same(below.base.value, below.revision.value)) {
        rules[key]?.(comparison, below, key);
      }
    });
  }
}

/** Whether descriptions differ only by the rules in them, which are compared separately. */
export function isSameDescription({ base, revision }: Pair): boolean {
  if (!isObject(base.value) || !isObject(revision.value)) return false;
  if (same(base.value[dialect.rules.key], revision.value[dialect.rules.key])) return false;
  return withoutRules(base.value) === withoutRules(revision.value);
}

function withoutRules(holder: JsonObject): string {
  return dialect.rules
    .read(holder)
    .reduce((description, { text }) => description.replace(text, ""), ownDescription(holder))
    .trim();
}

/** A rule for a boolean that defaults to false. */
export function truth(yes: Kind, no: Kind, word: string): Compare {
  return (comparison, pair) => {
    const now = pair.revision.value === true;
    if (now === (pair.base.value === true)) comparison.report("rewritten", pair, "It says the same as before.");
    else comparison.report(now ? yes : no, pair, now ? `It is now ${word}.` : `It is no longer ${word}.`);
  };
}

/** A rule with separate kinds for an addition, a change and a removal, or with one kind for all. */
export function passage(name: string, added: Kind, changed: Kind = added, removed: Kind = changed): Compare {
  return (comparison, pair) => {
    const kind = pair.base.value === undefined ? added : pair.revision.value === undefined ? removed : changed;
    comparison.report(kind, pair, became(pair, name));
  };
}

/** A rule for a keyword that says how a text is encoded. */
export const content: Compare = (comparison, pair, key) =>
  passage(`\`${key}\``, "content-added", "content-changed", "content-removed")(comparison, pair, key);

/** A rule for a keyword without an effect on programs. */
export function annotation(kind: Kind): Compare {
  return (comparison, pair, key) => comparison.report(kind, pair, `\`${key}\` ${happened(pair)}.`);
}

/** Reports what only one side has. Returns whether it did. A removal concerns those who use what is removed. */
export function isOneSided(comparison: Comparison, pair: Pair, name: string, added: Kind, removed: Kind): boolean {
  if (pair.base.value === undefined) comparison.report(added, pair, `The ${name} was added.`);
  else if (pair.revision.value === undefined)
    comparison.about(pair.base, () => comparison.report(removed, pair, `The ${name} was removed.`));
  else return false;
  return true;
}

/** The removed entries, each with the only added one of the same form: a rename. */
export function renamesOf(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const gone = [...before].filter(([name]) => !now.has(name));
  const come = [...now].filter(([name]) => !before.has(name));
  return new Map(
    gone.flatMap(([name, form]) => {
      const alike = come.filter(([, other]) => other === form);
      const [first] = alike;
      const alone = alike.length === 1 && gone.filter(([, other]) => other === form).length === 1;
      return first !== undefined && alone ? [[name, first[0]] as const] : [];
    }),
  );
}

/** The words "was added", "was removed" or "changed". */
export function happened(pair: Pair): string {
  if (pair.base.value === undefined) return "was added";
  return pair.revision.value === undefined ? "was removed" : "changed";
}

/** "`a` became `b`", or that one of them was added or removed. */
export function became(pair: Pair, name: string): string {
  const { base, revision } = pair;
  if (base.value === undefined) return `${name} ${brief(revision.value)} was added.`;
  if (revision.value === undefined) return `${name} ${brief(base.value)} was removed.`;
  return `${name} ${brief(base.value)} became ${brief(revision.value)}.`;
}

/**
 * Compares what two locations resolve to, once for each role. A reference may be replaced by one to another component, or
 * by its content, without an effect.
 */
export function followed(comparison: Comparison, pair: Pair, compare: (pair: Pair) => void): void {
  if (comparison.untouched(pair)) return;
  const to = sides((side) => bare(comparison[side], pair[side]));
  const run = (): void => comparison.once(to, () => compare(to));
  if (to.base.pointer === to.revision.pointer) run();
  else comparison.exhaust(pair, run, "rewritten");
}

/** The target of a reference without other keywords. */
function bare(document: Document, node: DocumentNode): DocumentNode {
  return document.follow(node, (value) => Object.keys(value).length === 1);
}
