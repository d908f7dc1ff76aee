import type { Pair } from "../comparison.ts";
import { type Document, type Spot, child, children, items, reference } from "../document.ts";
import { type Json, isObject } from "../json.ts";
import { tokens } from "../pointer.ts";

/**
 * A schema as it works: its reference followed, a wrapping `allOf` of one taken off, and null told apart from the rest,
 * so that `anyOf: [X, null]` and X are compared as what they are, a nullable X and an X.
 */
export interface View {
  /** What each keyword says. The one that holds the union, and what was taken off, are not among them. */
  readonly keys: ReadonlyMap<string, Spot>;
  /** `oneOf` or `anyOf` with its variants, without null. */
  readonly union?: Union;
  readonly nullable: boolean;
  /** What it wraps: the target of its reference, or the one thing that it is beside null. */
  readonly inner?: Spot;
  /** What is said around that: its own keywords alone, and whether null is allowed beside it. */
  readonly shell: { readonly keys: ReadonlyMap<string, Spot>; readonly nullable: boolean };
  /** Name of the component that it stands for. */
  readonly name?: string;
}

export interface Union {
  readonly key: "oneOf" | "anyOf";
  readonly variants: readonly Spot[];
}

/** A reference leads through at most this many others; a longer way is a circle. */
const depthLimit = 32;

export function view(document: Document, spot: Spot, depth: number = 0): View {
  if (depth > depthLimit) throw new Error(`${document.service}: the schema at ${spot.pointer} is made of itself.`);
  const keys = new Map<string, Spot>(children(spot));
  let union: Union | undefined;
  let name = componentName(spot.pointer);
  let own: Map<string, Spot> | undefined;
  let wrapped: Spot | undefined;
  let inner: View | undefined;
  const drop = (key: string): void => {
    keys.delete(key);
    own?.delete(key);
  };
  const unwrap = (target: Spot): void => {
    own ??= new Map(keys);
    wrapped = target;
    inner = view(document, target, depth + 1);
    for (const [key, below] of inner.keys) if (!keys.has(key)) keys.set(key, below);
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
    if (first === undefined || others.length > 0) union = { key, variants };
    else unwrap(first);
  }
  const target = reference(spot.value);
  if (target !== undefined) {
    drop("$ref");
    unwrap(document.at(target));
  }
  const allOf = keys.get("allOf");
  if (allOf !== undefined && Array.isArray(allOf.value) && allOf.value.length === 1) {
    drop("allOf");
    unwrap(child(allOf, 0));
  }
  const nullable =
    variants.length < all.length ||
    (acceptsNull(keys) &&
      (inner?.nullable ?? true) &&
      (union?.variants.some((variant) => view(document, variant, depth + 1).nullable) ?? true));
  return {
    keys,
    nullable,
    shell: { keys: own ?? keys, nullable: variants.length < all.length },
    ...(wrapped === undefined ? {} : { inner: wrapped }),
    ...(union === undefined ? {} : { union }),
    ...(name === undefined ? {} : { name }),
  };
}

/** The name of a schema that is a component itself. */
function componentName(pointer: string): string | undefined {
  const [components, schemas, name, ...rest] = tokens(pointer);
  return components === "components" && schemas === "schemas" && rest.length === 0 ? name : undefined;
}

function isNull(value: Json | undefined): boolean {
  return isObject(value) && value["type"] === "null";
}

function acceptsNull(keys: ReadonlyMap<string, Spot>): boolean {
  const type = keys.get("type")?.value;
  const values = allowed(keys);
  if (values !== undefined && !values.includes(null)) return false;
  return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
}

/** The values that `const` or `enum` allows; undefined where any is. */
export function allowed(keys: ReadonlyMap<string, Spot>): readonly Json[] | undefined {
  const constant = keys.get("const");
  if (constant?.value !== undefined) return [constant.value];
  const values = keys.get("enum")?.value;
  return Array.isArray(values) ? values : undefined;
}

/** The types that a schema names, without null; undefined where it names none. */
export function types(keys: ReadonlyMap<string, Spot>): readonly string[] | undefined {
  const type = keys.get("type")?.value;
  if (typeof type === "string") return type === "null" ? [] : [type];
  if (!Array.isArray(type)) return undefined;
  return type.filter((name): name is string => typeof name === "string" && name !== "null");
}

/** What both sides of a pair say at a keyword, wherever it stands behind references. */
export function keyword(pair: Pair, views: Views, key: string): Pair {
  const spot = (from: View, at: Spot): Spot =>
    from.keys.get(key) ?? { value: undefined, pointer: child(at, key).pointer };
  return { base: spot(views.base, pair.base), revision: spot(views.revision, pair.revision) };
}

export interface Views {
  readonly base: View;
  readonly revision: View;
}
