import type { Pair } from "../comparison.ts";
import { type Document, type DocumentNode, child, children, items, reference } from "../document.ts";
import { type Json, isObject } from "../json.ts";
import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import { annotations } from "./annotations.ts";
import { type Part, conjoin } from "./conjoin.ts";

/**
 * The effective form of a schema: references resolved, the members of an `allOf` merged if possible, and null separate, so
 * that `anyOf: [X, null]` and X are compared as a nullable X and an X.
 */
export interface View extends Part {
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

/** The maximum length of a chain of references. A longer one is a cycle. */
const depthLimit = 32;

export function view(document: Document, node: DocumentNode, depth: number = 0): View {
  if (depth > depthLimit) throw new Error(`${document.service}: the schema at ${node.pointer} contains itself.`);
  let keys = new Map<string, DocumentNode>(children(node));
  let properties: ReadonlyMap<string, DocumentNode> = new Map(children(child(node, "properties")));
  let union: Union | undefined;
  let name = componentName(node.pointer);
  let own: Map<string, DocumentNode> | undefined;
  const ownProperties = properties;
  let wrapped: DocumentNode | undefined;
  const within: View[] = [];
  const drop = (key: string): void => {
    keys.delete(key);
    own?.delete(key);
  };
  const take = (inner: View): boolean => {
    const both = union !== undefined && inner.union !== undefined;
    const merged = both ? undefined : conjoin([{ keys, properties }, inner], node.pointer);
    if (merged !== undefined) {
      ({ properties } = merged);
      keys = new Map(merged.keys);
      union ??= inner.union;
    }
    return merged !== undefined;
  };
  const unwrap = (target: DocumentNode): void => {
    own ??= new Map(keys);
    wrapped = target;
    const inner = view(document, target, depth + 1);
    within.push(inner);
    // If the schemas cannot be merged, they are compared separately if both sides wrap one; else only the outer keywords
    // count.
    if (!take(inner)) for (const [key, below] of inner.keys) if (!keys.has(key)) keys.set(key, below);
    union ??= inner.union;
    name ??= inner.name;
  };

  const key = keys.has("oneOf") ? "oneOf" : "anyOf";
  const list = keys.get(key);
  const all = list === undefined ? [] : items(list);
  const variants = all.filter((variant) => !isNull(variant.value));
  const [first, ...others] = variants;
  if (list !== undefined) {
    keys.delete(key);
    const values = listedValues(variants);
    if (first === undefined || others.length > 0) {
      if (values === undefined || keys.has("enum") || keys.has("const")) union = { key, variants };
      else keys.set("enum", { value: values, pointer: list.pointer });
    } else unwrap(first);
  }
  const target = reference(node.value);
  if (target !== undefined) {
    drop("$ref");
    unwrap(document.at(target));
  }
  const allOf = keys.get("allOf");
  if (allOf !== undefined && Array.isArray(allOf.value)) {
    const members = items(allOf).filter(({ value }) => !isWordless(value));
    const [only, ...rest] = members;
    if (only === undefined || rest.length === 0) {
      drop("allOf");
      if (only !== undefined) unwrap(only);
    } else {
      const before = { keys, properties, union };
      keys = new Map([...keys].filter(([word]) => word !== "allOf"));
      const parts = members.map((member) => view(document, member, depth + 1));
      if (parts.every(take)) within.push(...parts);
      else ({ keys, properties, union } = before);
    }
  }
  closeWhole(keys, union);
  const nullable =
    variants.length < all.length ||
    (acceptsNull(keys) &&
      within.every((inner) => inner.nullable) &&
      (union?.variants.some((variant) => view(document, variant, depth + 1).nullable) ?? true));
  return {
    keys,
    properties,
    nullable,
    shell: {
      keys: own ?? keys,
      properties: own === undefined ? properties : ownProperties,
      nullable: variants.length < all.length,
    },
    ...(wrapped === undefined ? {} : { inner: wrapped }),
    ...(union === undefined ? {} : { union }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Keywords beside which `unevaluatedProperties` considers more than properties and the members of an `allOf`. */
const looking = ["allOf", "if", "then", "else", "dependentSchemas", "patternProperties", "additionalProperties"];

/** Without these, `unevaluatedProperties` means the same as `additionalProperties` for the whole. */
function closeWhole(keys: Map<string, DocumentNode>, union: Union | undefined): void {
  const others = keys.get("unevaluatedProperties");
  if (others === undefined || union !== undefined || looking.some((key) => keys.has(key))) return;
  keys.delete("unevaluatedProperties");
  keys.set("additionalProperties", others);
}

/** Whether a schema allows any value, and has only annotations. */
function isWordless(value: Json | undefined): boolean {
  return value === true || (isObject(value) && Object.keys(value).every((key) => Object.hasOwn(annotations, key)));
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

/** The name of a schema that is itself a component. */
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

/** The values that `const` or `enum` allows; undefined if any value is allowed. */
export function allowed(keys: ReadonlyMap<string, DocumentNode>): readonly Json[] | undefined {
  const constant = keys.get("const");
  if (constant?.value !== undefined) return [constant.value];
  const values = keys.get("enum")?.value;
  return Array.isArray(values) ? values : undefined;
}

/** The types of a schema, without null; undefined if it names none. */
export function types(keys: ReadonlyMap<string, DocumentNode>): readonly string[] | undefined {
  const type = keys.get("type")?.value;
  if (typeof type === "string") return type === "null" ? [] : [type];
  if (!Array.isArray(type)) return undefined;
  return type.filter((name): name is string => typeof name === "string" && name !== "null");
}

/** Whether a set is open, so that its readers ignore unknown members. */
export function isOpen({ keys }: Pick<View, "keys">): boolean {
  return keys.get("x-extensible")?.value === true;
}

/** Both sides of a property, with references resolved. */
export function property(pair: Pair, views: Views, name: string): Pair {
  const node = (from: View, at: DocumentNode): DocumentNode =>
    from.properties.get(name) ?? { value: undefined, pointer: join(at.pointer, "properties", name) };
  return { base: node(views.base, pair.base), revision: node(views.revision, pair.revision) };
}

/** Both sides of a keyword, with references resolved. */
export function keyword(pair: Pair, views: Views, key: string): Pair {
  const node = (from: View, at: DocumentNode): DocumentNode =>
    from.keys.get(key) ?? { value: undefined, pointer: child(at, key).pointer };
  return { base: node(views.base, pair.base), revision: node(views.revision, pair.revision) };
}

export interface Views {
  readonly base: View;
  readonly revision: View;
}
