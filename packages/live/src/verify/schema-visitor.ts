import {
  hasType,
  isObject,
  joinPointer,
  memberAt,
  resolvePointer,
  type Fault,
  type Loc,
} from "@trainyard/core/validation";
import {
  basisAt,
  dialect,
  directions,
  keysBelow,
  locate,
  locateIn,
  schemaName,
  unions,
  type Located,
  type Basis,
} from "@trainyard/document";
import { validatorOf } from "@trainyard/host/validator";

export interface Value {
  readonly loc: Loc;
  readonly value: unknown;
  readonly schema: Located;
  /** Whether the value, or one around it, is sensitive. */
  readonly sensitive: boolean;
  /** Whether another member of a union describes the value better: this one only declares names that it may have, too. */
  readonly isOther: boolean;
}

/**
 * Every value within a value, with each schema that describes it. For a union, that is the matching member.
 *
 * @param others whether the other members that the tags of the value do not exclude follow, too
 */
export function visit(root: object, pointer: string, value: unknown, others = false): Value[] {
  const all: Value[] = [];
  const entered = new Set<string>();
  /** @param written the schema as it stands there: a reference may have further keys beside it */
  const enter = (schema: Located, written: unknown, one: unknown, loc: Loc, around: boolean, isOther: boolean) => {
    const { node, pointer } = schema;
    const sensitive = around || [node, Object(written)].some((holder) => dialect.sensitive.read(holder));
    // Members of unions may lead to the same schemas.
    const key = JSON.stringify([pointer, loc, sensitive, isOther]);
    if (entered.has(key)) return;
    entered.add(key);
    all.push({ loc, value: one, schema, sensitive, isOther });
    const below = (keys: readonly (string | number)[], next: unknown, step: Loc = [], other = isOther): void =>
      enter(locateIn(root, schema, ...keys), memberAt(node, keys), next, [...loc, ...step], sensitive, other);
    // A reference with other keywords beside it is not resolved yet.
    if (typeof node["$ref"] === "string") enter(locate(root, node["$ref"]), node, one, loc, sensitive, isOther);
    for (const [index] of [node["allOf"] ?? []].flat().entries()) below(["allOf", index], one);
    for (const union of unions)
      for (const [place, index] of membersOf(root, schema, union, one).entries())
        if (others || place === 0) below([union, index], one, [], isOther || place > 0);
    for (const [step, member] of Array.isArray(one) ? one.entries() : Object.entries(isObject(one) ? one : {})) {
      const keys = keysBelow(node, step);
      if (keys) below(keys, member, [step]);
    }
  };
  enter(locate(root, pointer), resolvePointer(root, pointer), value, [], false, false);
  return all;
}

/** The members of a union that the tags of a value do not exclude: none for an unlisted variant of an open union. */
function membersOf(root: object, union: Located, key: (typeof unions)[number], value: unknown): number[] {
  const members = [union.node[key] ?? []]
    .flat()
    .map((_, index) => ({ index, schema: locateIn(root, union, key, index) }));
  const tagged = members.filter(({ schema }) => {
    const { type, properties } = schema.node;
    if (type !== undefined && ![type].flat().some((one) => hasType(value, one))) return false;
    return Object.keys(Object(properties)).every((name) => {
      const { node } = locateIn(root, schema, "properties", name);
      return !("const" in node) || !isObject(value) || !(name in value) || value[name] === node["const"];
    });
  });
  // The validator has only components under their own names.
  const isValid = ({ pointer }: Located): boolean =>
    schemaName(pointer) === undefined ||
    directions.some((direction) => validatorOf(root).at(pointer, value, direction).length === 0);
  const meant = tagged.length > 1 ? tagged.find(({ schema }) => isValid(schema)) : undefined;
  return [...new Set([...(meant ? [meant] : []), ...tagged])].map(({ index }) => index);
}

/** The pointer of the schema for a location, or of the nearest location around it. */
export function pointerAt(values: readonly Value[], loc: Loc): string | undefined {
  for (let length = loc.length; length >= 0; length--) {
    const key = JSON.stringify(loc.slice(0, length));
    const here = values.filter((one) => JSON.stringify(one.loc) === key);
    const missing = loc[length] ?? "";
    const owner = here.findLast(({ schema }) => Object.hasOwn(Object(schema.node["properties"]), missing));
    if (owner !== undefined) return joinPointer(owner.schema.pointer, "properties", missing);
    if (here.length > 0) return here.at(-1)?.schema.pointer;
  }
  return undefined;
}

/** The basis of what a fault is against, at its pointer: `required` belongs to the object. */
export function basisOf(root: object, pointer: string, { type }: Fault): Basis | undefined {
  return basisAt(root, type === "missing" ? pointer.replace(/\/properties\/[^/]*$/, "") : pointer);
}

/**
 * Whether a schema of the interface describes a location only because something weaker refers to it: the documents, and not the
 * interface, say that a completion has its `Choice`. A reference has the basis of what is around it.
 */
export function isBorrowed(root: object, around: string, values: readonly Value[], loc: Loc): boolean {
  const way = values.filter((one) => one.loc.every((step, index) => step === loc[index]));
  const pointers = [around, ...way.map(({ schema }) => schema.pointer)];
  const isWeak = (pointer = around): boolean => !["interface", undefined].includes(basisAt(root, pointer));
  return pointers.some((one, index) => schemaName(one) !== undefined && !isWeak(one) && isWeak(pointers[index - 1]));
}
