import { isObject, keywordsIn, memberAt, type JsonObject, type Lookup } from "@trainyard/core/validation";
import { locateIn, type Located } from "../locate.ts";

/** Goes to a schema inside another, or to the target of its reference. */
export type Enter = (from: Located, ...keys: readonly (string | number)[]) => Located;

/** The keywords of unions: some member must match. */
export const unions = ["oneOf", "anyOf"] as const;

/** The keywords whose members apply to the same value. */
export const combining: readonly ["allOf", ...typeof unions] = ["allOf", ...unions];

/** The members of a list of schemas, such as `allOf`, but those that permit nothing. */
export function listed(schema: Located, key: (typeof combining)[number], enter: Enter): Located[] {
  const { [key]: list } = schema.node;
  if (!Array.isArray(list)) return [];
  return list.flatMap((part, index) => (part === false ? [] : [enter(schema, key, index)]));
}

/** What is reached from some things, by what is directly below each, in the order of a text. Each occurs once. */
export function reach<One>(
  first: readonly One[],
  below: (one: One) => readonly One[],
  idOf: (one: One) => unknown = (one) => one,
): One[] {
  const found = new Map<unknown, One>();
  const open = first.toReversed();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (found.has(idOf(one))) continue;
    found.set(idOf(one), one);
    open.push(...below(one).toReversed());
  }
  return [...found.values()];
}

/**
 * Schemas and what they demand of the same value: their `allOf`, and a reference beside other keywords. Each occurs once.
 *
 * @param lists the keywords whose members are followed
 */
export function together(
  schemas: readonly Located[],
  enter: Enter,
  lists: readonly Parameters<typeof listed>[1][] = ["allOf"],
): Located[] {
  const below = (one: Located): Located[] => {
    const { $ref } = one.node;
    // Pure references are resolved already. This one has other keywords beside it.
    const target = typeof $ref === "string" ? [enter({ ...one, node: { target: { $ref } } }, "target")] : [];
    return [...target, ...lists.flatMap((key) => listed(one, key, enter))];
  };
  return reach(schemas, below, ({ pointer }) => pointer);
}

/** Schemas, what they demand of the same value, and all members of their unions. Each occurs once. */
export function branchesOf(document: object, schemas: readonly Located[]): Located[] {
  return together(schemas, (from, ...keys) => locateIn(document, from, ...keys), combining);
}

/**
 * A schema as it is written, in a document or not, and those that judge the same value. Nothing beside a reference is lost.
 *
 * @param members the lists of members to follow, of one schema. Default: those of {@link branchesOf}
 */
export function partsOf(
  schema: unknown,
  lookup: Lookup,
  members = (one: JsonObject): unknown[] => combining.map((key) => one[key]),
): JsonObject[] {
  return reach([schema].filter(isObject), (one) => {
    const { $ref } = one;
    return [typeof $ref === "string" ? lookup($ref) : undefined, members(one)].flat(2).filter(isObject);
  });
}

/**
 * The schema that says most of a property: the schema's own, or that of a schema that holds together with it, by `$ref`, by
 * `allOf`, or as the only choice beside null. Undefined if no such schema says anything about the property.
 */
export function findProperty(schema: unknown, name: string, lookup: Lookup): JsonObject | undefined {
  const holding = ({ allOf, ...node }: JsonObject): unknown[] => {
    const choices = unions.map((key) => [node[key]].flat().filter((one) => Object(one)["type"] !== "null"));
    return [allOf, ...choices.filter(({ length }) => length === 1)];
  };
  const said = partsOf(schema, lookup, holding).map((one) => {
    const keys = keysBelow(one, name);
    return keys && memberAt(one, keys);
  });
  return said.filter(isObject).find((own) => keywordsIn(own).length > 0);
}

/** Whether a schema, or any part that a value of it may match, declares a property, be it as one that may have any value. */
export function declaresProperty(schema: unknown, name: string, lookup: Lookup): boolean {
  return partsOf(schema, lookup).some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
}

/** The keys to the schema of a member or an item, by what one schema says alone; undefined if it says nothing of it. */
export function keysBelow(node: JsonObject, step: string | number): readonly (string | number)[] | undefined {
  const { prefixItems, items, properties, additionalProperties } = node;
  if (typeof step === "number") {
    if (Array.isArray(prefixItems) && step < prefixItems.length) return ["prefixItems", step];
    return isObject(items) ? ["items"] : undefined;
  }
  if (isObject(properties) && Object.hasOwn(properties, step)) return ["properties", step];
  return isObject(additionalProperties) ? ["additionalProperties"] : undefined;
}
