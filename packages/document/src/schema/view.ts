import { isObject } from "@trainyard/core/validation";
import { dialect } from "../dialect.ts";
import { schemaName } from "../locate.ts";
import { isWordless, onlyDescribes } from "./keywords.ts";
import { type Part, mergeAllOf } from "./merge-all-of.ts";
import { child, children, items, nodeAt, reference, same, type DocumentNode, type Json } from "./node.ts";
import { allowed, applying, normalForm, types } from "./normal-form.ts";

/**
 * The effective form of a schema: references resolved, the members of an `allOf` merged if possible, and null separate, so
 * that `anyOf: [X, null]` and X are compared as a nullable X and an X.
 */
export interface SchemaView extends Part {
  /** The value of each keyword, without the union and without null. */
  readonly keys: ReadonlyMap<string, DocumentNode>;
  /** Its properties, from whichever member of an `allOf`. */
  readonly properties: ReadonlyMap<string, DocumentNode>;
  /** `oneOf` or `anyOf` with its variants, without null. */
  readonly union?: Union;
  readonly nullable: boolean;
  /** The only wrapped schema: the target of its reference, or its only alternative beside null. */
  readonly inner?: DocumentNode;
  /** What holds together, if it cannot be merged into `keys`. */
  readonly parts: readonly Merged[];
  /** How many schemas wrap each other. */
  readonly depth: number;
  /** The wrapping: its own keywords, and whether null is allowed. */
  readonly shell: Part & { readonly nullable: boolean };
  /** The name of its component. */
  readonly name?: string;
}

export interface Union {
  readonly key: "oneOf" | "anyOf";
  readonly variants: readonly DocumentNode[];
}

const views = new WeakMap<object, Map<string, { readonly value: Json | undefined; readonly view: SchemaView }>>();

/** @param around the schemas that wrap this one */
export function schemaView(root: object, node: DocumentNode, around: readonly DocumentNode[] = []): SchemaView {
  const known = views.get(root) ?? new Map();
  views.set(root, known);
  const { value, view } = known.get(node.pointer) ?? {};
  if (view !== undefined && value === node.value) return view;
  // What a long chain leads to is read from its end, because each schema within another needs a part of the stack.
  const chain = new Map<string, DocumentNode>();
  let next = around.length % 50 === 0 ? first(root, node) : undefined;
  while (next !== undefined && next.pointer !== node.pointer && !known.has(next.pointer) && !chain.has(next.pointer)) {
    chain.set(next.pointer, next);
    next = first(root, next);
  }
  const read = (one: DocumentNode): SchemaView => {
    const made = readSchema(root, one, around);
    known.set(one.pointer, { value: one.value, view: made });
    return made;
  };
  [...chain.values()].toReversed().forEach(read);
  return read(node);
}

/** What a schema leads to first: the target of its reference, or the first reference of its union or `allOf`. */
function first(root: object, node: DocumentNode): DocumentNode | undefined {
  const target = reference(node.value);
  if (target !== undefined) return nodeAt(root, target);
  const members = ["oneOf", "anyOf", "allOf"].flatMap((key) => items(child(node, key)));
  return members.find(({ value }) => reference(value) !== undefined);
}

function readSchema(root: object, node: DocumentNode, around: readonly DocumentNode[]): SchemaView {
  if (around.some(({ value }) => value === node.value && isObject(value)))
    throw new Error(`The schema at ${node.pointer} contains itself.`);
  const inside = (below: DocumentNode): SchemaView => schemaView(root, below, [...around, node]);
  const { own, choice, isChosen, wrapped, isNullable } = unwrap(root, node, inside);
  const inner = wrapped.map((one) => ({ one, view: inside(one) }));
  const plain = inner.reduce((sum, { one, view }) => merge(sum, view, node.pointer) ?? apartFrom(sum, view, one), own);
  const members = membersOf(plain).map(inside);
  const bare = { ...plain, keys: without(plain.keys, "allOf") };
  const merged = members.reduce<Merged | undefined>((sum, one) => sum && merge(sum, one, node.pointer), bare);
  const { properties, union, ...rest } = merged ?? plain;
  const keys = normalForm(closed(new Map(rest.keys), union));
  const isMerged = members.length > 0 ? merged !== undefined : !plain.keys.has("allOf");
  const beside = membersOf(own).map(inside);
  const apart = [...inner.map(({ view }) => view), ...beside];
  const needed = [...inner.slice(isChosen ? 1 : 0).map(({ view }) => view), ...beside];
  const nulls = choice?.filter((one) => inside(one).nullable).length ?? 1;
  const takesNull = nulls === 1 || (nulls > 1 && !children(node).some(([key]) => key === "oneOf"));
  const [only, ...others] = wrapped;
  const last = others.length > 0 ? undefined : only;
  const name = schemaName(node.pointer) ?? inner.find(({ view }) => view.name !== undefined)?.view.name;
  const whole = restricted({ keys, properties }, types(keys));
  return {
    ...whole,
    nullable: isNullable && takesNull && needed.every((one) => one.nullable),
    parts: isMerged
      ? [{ keys, properties, union }]
      : [{ ...own, keys: without(own.keys, "allOf") }, ...apart.flatMap((one) => one.parts)],
    depth: last === undefined ? 0 : 1 + (inner[0]?.view.depth ?? 0),
    shell: {
      ...(last === undefined ? whole : { ...own, keys: normalForm(own.keys, keys) }),
      nullable:
        choice?.some((one) => isNull(inside(one))) === true ||
        (types(own.keys) !== undefined && isNullable && takesNull),
    },
    ...(last === undefined ? {} : { inner: last }),
    ...(union === undefined ? {} : { union }),
    ...(name === undefined ? {} : { name }),
  };
}

interface Merged extends Part {
  readonly union: Union | undefined;
}

/**
 * Takes a schema apart: its own keywords, the schemas that it only wraps, the members of its union, and whether the rest of
 * its own keywords permits null.
 */
function unwrap(
  root: object,
  node: DocumentNode,
  inside: (below: DocumentNode) => SchemaView,
): {
  readonly own: Merged;
  readonly wrapped: readonly DocumentNode[];
  readonly choice: readonly DocumentNode[] | undefined;
  /** Whether the first of the wrapped schemas is the only member of the union beside null. */
  readonly isChosen: boolean;
  readonly isNullable: boolean;
} {
  const isNothing = node.value === false;
  const keys = new Map(isNothing ? [["type", { value: [], pointer: node.pointer }]] : children(node));
  const properties = new Map(children(child(node, "properties")));
  const not = keys.get("not");
  const isNullable = acceptsNull(keys) && (not === undefined || !inside(not).nullable);
  const key = keys.has("oneOf") ? "oneOf" : "anyOf";
  const list = keys.get(key);
  const choice = list && items(list);
  const variants = (choice ?? []).filter((one) => !isNull(inside(one)));
  keys.delete(key);
  const wrapped = variants.length === 1 ? [...variants] : [];
  // Of two unions, one is a member of an `allOf`.
  const second = key === "oneOf" ? keys.get("anyOf") : undefined;
  if (second !== undefined) {
    const all = keys.get("allOf")?.value ?? [];
    keys.delete("anyOf");
    keys.set("allOf", { ...second, value: [all, { anyOf: second.value ?? [] }].flat() });
  }
  const values = list === undefined || variants.length === 1 ? undefined : listedValues(key, variants.map(inside));
  const isEnum = values !== undefined && !keys.has("enum") && !keys.has("const");
  if (isEnum && list !== undefined) keys.set("enum", { value: values, pointer: list.pointer });
  const union: Union | undefined =
    list === undefined || isEnum || variants.length === 1 ? undefined : { key, variants };
  const target = reference(node.value);
  if (target !== undefined) {
    keys.delete("$ref");
    wrapped.push(nodeAt(root, target));
  }
  const members = membersOf({ keys, properties });
  if (members.length <= 1 && Array.isArray(keys.get("allOf")?.value)) {
    keys.delete("allOf");
    wrapped.push(...members);
  }
  return {
    own: { keys: normalForm(keys), properties, union },
    wrapped,
    choice,
    isChosen: variants.length === 1,
    isNullable,
  };
}

/** The members of an `allOf` that restrict values. */
function membersOf({ keys }: Part): DocumentNode[] {
  const allOf = keys.get("allOf");
  return allOf === undefined ? [] : items(allOf).filter(({ value }) => !isWordless(value));
}

function merge(sum: Merged, inner: SchemaView, pointer: string): Merged | undefined {
  if (sum.union !== undefined && inner.union !== undefined) return undefined;
  const merged = mergeAllOf([sum, inner], pointer);
  return merged && { ...merged, union: sum.union ?? inner.union };
}

/**
 * The whole of a schema that cannot be merged with an inner one, which stays one of its `allOf`: its own keywords, and those
 * of the inner schema that depend on no others.
 */
function apartFrom(sum: Merged, inner: SchemaView, { value = true, pointer }: DocumentNode): Merged {
  const { value: all = [] } = sum.keys.get("allOf") ?? {};
  const kept = [...inner.keys].filter(([key]) => !dependent.has(key));
  const keys = new Map([...kept, ...sum.keys, ["allOf", { value: [all, value].flat(), pointer }]]);
  return { ...sum, keys };
}

/** What a schema says of values of some types. */
export function restricted<One extends Part>(part: One, kinds: readonly string[] | undefined): One {
  const isObject = kinds === undefined || kinds.includes("object");
  return { ...part, keys: applying(part.keys, kinds), properties: isObject ? part.properties : new Map() };
}

function without(keys: ReadonlyMap<string, DocumentNode>, key: string): ReadonlyMap<string, DocumentNode> {
  return new Map([...keys].filter(([one]) => one !== key));
}

/** Keywords for what no other keyword evaluates, the same for the rest, and beside which they differ. */
const rests = [
  ["unevaluatedProperties", "additionalProperties", ["allOf", "if", "dependentSchemas"]],
  ["unevaluatedItems", "items", ["allOf", "if", "contains"]],
] as const;

/** Keywords whose effect depends on others beside them. */
export const dependent: ReadonlySet<string> = new Set([
  "allOf",
  "properties",
  "patternProperties",
  "additionalProperties",
  "prefixItems",
  "items",
  "if",
  "then",
  "else",
  "contains",
  "minContains",
  "maxContains",
  ...rests.map(([key]) => key),
]);

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
function listedValues(key: Union["key"], variants: readonly SchemaView[]): Json[] | undefined {
  const lists = variants.map(({ keys, union }) =>
    union === undefined && [...keys.keys()].every((one) => constants.has(one) || onlyDescribes(one))
      ? allowed(keys)
      : undefined,
  );
  if (!lists.every((list) => list !== undefined)) return undefined;
  const values = lists.flatMap((list) =>
    list.filter((value, index) => list.findIndex((one) => same(one, value)) === index),
  );
  const times = (value: Json): number => values.filter((one) => same(one, value)).length;
  if (key === "oneOf") return values.filter((value) => times(value) === 1);
  return values.filter((value, index) => values.findIndex((one) => same(one, value)) === index);
}

/** Whether null is all that a schema permits. */
function isNull({ keys, nullable }: SchemaView): boolean {
  return nullable && types(keys)?.length === 0;
}

function acceptsNull(keys: ReadonlyMap<string, DocumentNode>): boolean {
  const type = keys.get("type")?.value;
  const values = allowed(keys);
  if (values !== undefined && !values.includes(null)) return false;
  return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
}

/** Whether a set is open, so that its readers ignore unknown members. */
export function isOpen({ keys }: Pick<SchemaView, "keys">): boolean {
  return keys.get(dialect.extensible.key)?.value === true;
}
