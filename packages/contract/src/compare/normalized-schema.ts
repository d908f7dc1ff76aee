import type { Pair } from "../comparison.ts";
import { type Document, type DocumentNode, absent, child, children, items, reference } from "../document.ts";
import { type Json, isObject } from "../json.ts";
import { pointerTokens as tokens } from "@trainyard/core/validation";
import { annotations, isWordless } from "./annotations.ts";
import { allowed, applying, normalForm, types } from "./normal-form.ts";
import { type Part, mergeAllOf } from "./merge-all-of.ts";

/**
 * The effective form of a schema: references resolved, the members of an `allOf` merged if possible, and null separate, so
 * that `anyOf: [X, null]` and X are compared as a nullable X and an X.
 */
export interface NormalizedSchema extends Part {
  /** The value of each keyword, without the union and without null. */
  readonly keys: ReadonlyMap<string, DocumentNode>;
  /** Its properties, from whichever member of an `allOf`. */
  readonly properties: ReadonlyMap<string, DocumentNode>;
  /** `oneOf` or `anyOf` with its variants, without null. */
  readonly union?: Union;
  readonly nullable: boolean;
  /** The wrapped schema: the target of its reference, or its only alternative beside null. */
  readonly inner?: DocumentNode;
  /** The wrapping: its own keywords, and whether null is allowed. */
  readonly shell: Part & { readonly nullable: boolean };
  /** The name of its component. */
  readonly name?: string;
}

export interface Union {
  readonly key: "oneOf" | "anyOf";
  readonly variants: readonly DocumentNode[];
}

const views = new WeakMap<
  Document,
  Map<string, { readonly value: Json | undefined; readonly view: NormalizedSchema }>
>();

/** @param around the schemas that wrap this one */
export function normalizedSchema(
  document: Document,
  node: DocumentNode,
  around: readonly DocumentNode[] = [],
): NormalizedSchema {
  const known = views.get(document) ?? new Map();
  views.set(document, known);
  const { value, view } = known.get(node.pointer) ?? {};
  if (view !== undefined && value === node.value) return view;
  const made = readSchema(document, node, around);
  known.set(node.pointer, { value: node.value, view: made });
  return made;
}

function readSchema(document: Document, node: DocumentNode, around: readonly DocumentNode[]): NormalizedSchema {
  if (around.some(({ value }) => value === node.value && isObject(value)))
    throw new Error(`${document.service}: the schema at ${node.pointer} contains itself.`);
  const inside = (below: DocumentNode): NormalizedSchema => normalizedSchema(document, below, [...around, node]);
  const { own, wrapped, takesNull } = unwrap(document, node);
  const inner = wrapped.map(inside);
  const plain = inner.reduce((sum, one) => merge(sum, one, node.pointer) ?? beside(sum, one), own);
  const members = membersOf(plain).map(inside);
  const bare = { ...plain, keys: new Map([...plain.keys].filter(([key]) => key !== "allOf")) };
  const merged = members.reduce<Merged | undefined>((sum, one) => sum && merge(sum, one, node.pointer), bare);
  const isWhole = members.length > 0 && merged !== undefined;
  const { properties, union, ...rest } = isWhole ? merged : plain;
  const keys = normalForm(closed(new Map(rest.keys), union));
  const nullable =
    takesNull ||
    (acceptsNull(keys) &&
      [...inner, ...(isWhole ? members : [])].every((one) => one.nullable) &&
      (union?.variants.some((variant) => inside(variant).nullable) ?? true));
  const last = wrapped.at(-1);
  const name = componentName(node.pointer) ?? inner.find((one) => one.name !== undefined)?.name;
  const whole = restricted({ keys, properties }, types(keys));
  return {
    ...whole,
    nullable,
    shell: {
      ...(last === undefined ? whole : { ...own, keys: normalForm(own.keys, types(keys)) }),
      nullable: takesNull || (types(own.keys) !== undefined && acceptsNull(own.keys)),
    },
    ...(last === undefined ? {} : { inner: last }),
    ...(union === undefined ? {} : { union }),
    ...(name === undefined ? {} : { name }),
  };
}

interface Merged extends Part {
  readonly union: Union | undefined;
}

/** Takes a schema apart: its own keywords, the schemas that it only wraps, and whether it is a union with null. */
function unwrap(
  document: Document,
  node: DocumentNode,
): { readonly own: Merged; readonly wrapped: readonly DocumentNode[]; readonly takesNull: boolean } {
  const isNothing = node.value === false;
  const keys = new Map(isNothing ? [["type", { value: [], pointer: node.pointer }]] : children(node));
  const properties = new Map(children(child(node, "properties")));
  const key = keys.has("oneOf") ? "oneOf" : "anyOf";
  const list = keys.get(key);
  const all = list === undefined ? [] : items(list);
  const variants = all.filter((variant) => !isNull(variant.value));
  keys.delete(key);
  const wrapped = variants.length === 1 ? [...variants] : [];
  const values = list === undefined || variants.length === 1 ? undefined : listedValues(variants);
  const isEnum = values !== undefined && !keys.has("enum") && !keys.has("const");
  if (isEnum && list !== undefined) keys.set("enum", { value: values, pointer: list.pointer });
  const union: Union | undefined =
    list === undefined || isEnum || variants.length === 1 ? undefined : { key, variants };
  const target = reference(node.value);
  if (target !== undefined) {
    keys.delete("$ref");
    wrapped.push(document.at(target));
  }
  const own: Merged = { keys: normalForm(keys), properties, union };
  const members = membersOf(own);
  if (members.length <= 1 && Array.isArray(keys.get("allOf")?.value)) {
    keys.delete("allOf");
    wrapped.push(...members);
  }
  return { own, wrapped, takesNull: variants.length < all.length };
}

/** The members of an `allOf` that restrict values. */
function membersOf({ keys }: Part): DocumentNode[] {
  const allOf = keys.get("allOf");
  return allOf === undefined ? [] : items(allOf).filter(({ value }) => !isWordless(value));
}

function merge(sum: Merged, inner: NormalizedSchema, pointer: string): Merged | undefined {
  if (sum.union !== undefined && inner.union !== undefined) return undefined;
  const merged = mergeAllOf([sum, inner], pointer);
  return merged && { ...merged, union: sum.union ?? inner.union };
}

/**
 * What counts of schemas that cannot be merged: the outer keywords, and others of the inner schema. If both sides wrap a
 * schema, the inner schemas are compared separately.
 */
function beside(sum: Merged, inner: NormalizedSchema): Merged {
  return { ...sum, keys: new Map([...inner.keys, ...sum.keys]), union: sum.union ?? inner.union };
}

/** What a schema says of values of some types. */
export function restricted<One extends Part>(part: One, kinds: readonly string[] | undefined): One {
  const isObject = kinds === undefined || kinds.includes("object");
  return { ...part, keys: applying(part.keys, kinds), properties: isObject ? part.properties : new Map() };
}

/** Keywords for what no other keyword evaluates, the same for the rest, and beside which they differ. */
const rests = [
  ["unevaluatedProperties", "additionalProperties", ["allOf", "if", "dependentSchemas"]],
  ["unevaluatedItems", "items", ["allOf", "if", "contains"]],
] as const;

/** Without what looks deeper, `unevaluatedProperties` means the same as `additionalProperties` for the whole. */
function closed(keys: Map<string, DocumentNode>, union: Union | undefined): Map<string, DocumentNode> {
  for (const [unevaluated, rest, deeper] of rests) {
    const node = keys.get(unevaluated);
    if (node === undefined || union !== undefined || deeper.some((key) => keys.has(key))) continue;
    keys.delete(unevaluated);
    if (!keys.has(rest)) keys.set(rest, node);
  }
  return keys;
}

const constants: ReadonlySet<string> = new Set(["type", "const", "enum"]);

/** The values of a union of constants, which is equivalent to an enumeration; undefined if it is more. */
function listedValues(variants: readonly DocumentNode[]): Json[] | undefined {
  const values = variants.map((variant) => {
    const keys = children(variant);
    const plain = keys.every(([key]) => constants.has(key) || Object.hasOwn(annotations, key));
    return plain ? allowed(new Map(keys)) : undefined;
  });
  return values.every((list) => list !== undefined) ? values.flat() : undefined;
}

function componentName(pointer: string): string | undefined {
  const [components, schemas, name, ...rest] = tokens(pointer);
  return components === "components" && schemas === "schemas" && rest.length === 0 ? name : undefined;
}

function isNull(value: Json | undefined): boolean {
  return isObject(value) && value["type"] === "null";
}

function acceptsNull(keys: ReadonlyMap<string, DocumentNode>): boolean {
  const type = keys.get("type")?.value;
  const values = allowed(keys);
  if (values !== undefined && !values.includes(null)) return false;
  return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
}

/** Whether a set is open, so that its readers ignore unknown members. */
export function isOpen({ keys }: Pick<NormalizedSchema, "keys">): boolean {
  return keys.get("x-extensible")?.value === true;
}

/** Both sides of a property, with references resolved. */
export function property({ base, revision }: Pair, views: NormalizedSchemas, name: string): Pair {
  const node = (from: NormalizedSchema, at: DocumentNode): DocumentNode =>
    from.properties.get(name) ?? absent(child(child(at, "properties"), name));
  return { base: node(views.base, base), revision: node(views.revision, revision) };
}

/** Both sides of a keyword, with references resolved. */
export function keyword({ base, revision }: Pair, views: NormalizedSchemas, key: string): Pair {
  const node = (from: NormalizedSchema, at: DocumentNode): DocumentNode => from.keys.get(key) ?? absent(child(at, key));
  return { base: node(views.base, base), revision: node(views.revision, revision) };
}

export interface NormalizedSchemas {
  readonly base: NormalizedSchema;
  readonly revision: NormalizedSchema;
}
