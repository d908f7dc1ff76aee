import { isObject, type JsonObject } from "@trainyard/core/validation";
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

/** Schemas and what they demand of the same value: their `allOf`, and a reference beside other keywords. Each occurs once. */
export function together(schemas: readonly Located[], enter: Enter): Located[] {
  return reach(schemas, ["allOf"], enter);
}

/** Schemas, what they demand of the same value, and all members of their unions. Each occurs once. */
export function branchesOf(document: object, schemas: readonly Located[]): Located[] {
  return reach(schemas, combining, (from, ...keys) => locateIn(document, from, ...keys));
}

function reach(schemas: readonly Located[], lists: readonly Parameters<typeof listed>[1][], enter: Enter): Located[] {
  const found = new Map<string, Located>();
  const open = schemas.toReversed();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (found.has(one.pointer)) continue;
    found.set(one.pointer, one);
    const { $ref } = one.node;
    const inner = lists.flatMap((key) => listed(one, key, enter));
    // Pure references are resolved already. This one has other keywords beside it.
    if (typeof $ref === "string") inner.unshift(enter({ ...one, node: { target: { $ref } } }, "target"));
    open.push(...inner.reverse());
  }
  return [...found.values()];
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
