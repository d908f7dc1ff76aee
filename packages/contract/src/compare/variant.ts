import {
  type DocumentNode,
  child,
  children,
  type Json,
  same,
  allowed,
  types,
  type SchemaView,
  schemaView,
  onlyDescribes,
} from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { type Document } from "../document.ts";
import { type JsonObject, brief, canonical, text } from "../json.ts";
import { joinPointer as join } from "@trainyard/core/validation";

/** The variants of two unions, paired. */
export interface Matched {
  readonly pairs: readonly Pair[];
  readonly added: readonly DocumentNode[];
  readonly removed: readonly DocumentNode[];
}

/** The identity of a variant. Two variants that share it are the same, however they differ. */
type Mark = (of: SchemaView) => string | undefined;

/** Tried in this order: the variant's name, all that it says, its tag, its other distinguishing features. */
const marks: readonly Mark[] = [
  ({ name }) => name,
  ({ keys, union }) => {
    const words = Object.fromEntries([...keys].map(([key, { value }]) => [key, value ?? null]));
    return canonical([words, ...(union?.variants ?? []).map(({ value }) => value ?? null)]);
  },
  tag,
  ({ keys }) => {
    const title = keys.get("title")?.value;
    return typeof title === "string" ? title : undefined;
  },
  (of) =>
    untagged(of, [
      kinds(of) ?? null,
      [...of.properties.keys()].sort(),
      [of.keys.get("required")?.value ?? []].flat().map(text).sort(),
    ]),
  (of) => untagged(of, kinds(of) ?? null),
  (of) => untagged(of, kinds(of)?.map((kind) => (kind === "integer" ? "number" : kind)) ?? null),
];

/** The constants of its properties, such as `type: "text"`. */
function tag({ properties }: SchemaView): string | undefined {
  const constants = [...properties].flatMap(([name, node]) => {
    const values = allowed(new Map(children(node)));
    return values?.length === 1 ? [`${name}=${canonical(values[0])}`] : [];
  });
  return constants.length > 0 ? constants.sort().join("&") : undefined;
}

function kinds({ keys }: SchemaView): string[] | undefined {
  return types(keys)?.toSorted();
}

/** A feature of a variant that has no tag. */
function untagged(of: SchemaView, feature: Json): string | undefined {
  return tag(of) === undefined ? canonical(feature) : undefined;
}

export function match(comparison: Comparison, before: readonly DocumentNode[], now: readonly DocumentNode[]): Matched {
  const pairs: Pair[] = [];
  const rest = pairUp(pairs, viewed(comparison.base, before), viewed(comparison.revision, now));
  // What has no partner as a whole may have partners for each of its types, or for the variants of its own.
  const [removed, added] = pairUp(
    pairs,
    rest[0].flatMap((one) => alternatives(comparison.base, one)),
    rest[1].flatMap((one) => alternatives(comparison.revision, one)),
  );
  return { pairs, added: added.map(({ node }) => node), removed: removed.map(({ node }) => node) };
}

interface Viewed {
  readonly node: DocumentNode;
  readonly view: SchemaView;
}

function viewed(document: Document, nodes: readonly DocumentNode[]): Viewed[] {
  return nodes.map((node) => ({ node, view: schemaView(document.root, node) }));
}

/** The schemas that a schema is the union of: the variants of a nested union, or one for each of several types. */
function alternatives(document: Document, one: Viewed): Viewed[] {
  const { keys, properties, union } = one.view;
  const kinds = types(keys) ?? [];
  const words = [...keys].filter(([key]) => !onlyDescribes(key));
  if (union !== undefined && words.length === 0)
    return viewed(document, union.variants).flatMap((variant) => alternatives(document, variant));
  if (union !== undefined || kinds.length < 2) return [one];
  const object = (nodes: Iterable<[string, DocumentNode]>): JsonObject =>
    Object.fromEntries([...nodes].map(([key, { value = true }]) => [key, value]));
  const nodes = kinds.map((type): DocumentNode => {
    const value = { ...object(words), properties: object(properties), type };
    return { value, pointer: join(one.node.pointer, "type", type) };
  });
  return viewed(document, nodes);
}

/** Adds the pairs with a mark in common, and returns what is left of both sides. */
function pairUp(pairs: Pair[], left: Viewed[], right: Viewed[]): [left: Viewed[], right: Viewed[]] {
  for (const mark of marks) {
    for (const base of left.slice()) {
      const baseMark = mark(base.view);
      if (baseMark === undefined) continue;
      const revision = right.find((one) => mark(one.view) === baseMark);
      if (revision === undefined) continue;
      pairs.push({ base: base.node, revision: revision.node });
      left.splice(left.indexOf(base), 1);
      right.splice(right.indexOf(revision), 1);
    }
  }
  return [left, right];
}

/** Whether a value can match both variants. Objects are told apart by their properties, so `but` may leave them out. */
export function overlap(document: Document, one: DocumentNode, other: DocumentNode, but: string = ""): boolean {
  const [a, b] = [schemaView(document.root, one).keys, schemaView(document.root, other).keys];
  const values = allowed(b) ?? [];
  if (values.length > 0 && allowed(a)?.some((value) => values.some((another) => same(value, another))) === false)
    return false;
  const [left, right] = [a, b].map((keys) => types(keys, true)?.map((type) => type.replace("integer", "number")));
  return left === undefined || right === undefined || left.some((type) => type !== but && right.includes(type));
}

/** A variant's name in a sentence. */
export function label(document: Document, node: DocumentNode): string {
  const { name, keys } = schemaView(document.root, node);
  const title = child(node, "title").value;
  if (name !== undefined) return `\`${name}\``;
  if (typeof title === "string") return `"${title}"`;
  const named = types(keys, true);
  return named === undefined ? brief(node.value) : `\`${named.join(" | ")}\``;
}
