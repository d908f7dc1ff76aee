/** Functions for a schema that may be split over references, `allOf` and unions. */
import type { JsonObject } from "@trainyard/core/validation";
import { sameValue, subschemas } from "@trainyard/document";
import { follow, followAll, followList, followMember, type Found } from "./document.ts";
import { isReference, listOf, member } from "./node.ts";
import type { Context } from "./redocly.ts";

/**
 * What each alternative of the schema says about a property: one entry per branch of a union, undefined if that branch does
 * not declare it.
 */
export function propertyOf(schema: Found, name: string, context: Context, depth = 0): (Found | undefined)[] {
  // A schema that contains itself only through unions has no such property.
  if (depth > 16) return [undefined];
  const own = followAll(schema, "properties", context).get(name);
  if (own) return [own];
  for (const part of followList(schema, "allOf", context)) {
    const found = propertyOf(part, name, context, depth + 1);
    if (found.some((property) => property !== undefined)) return found;
  }
  const branches = unionOf(schema, context);
  return branches.length > 0 ? branches.flatMap((branch) => propertyOf(branch, name, context, depth + 1)) : [undefined];
}

/** The branches of a union, without `null`; empty if the schema is not a union. */
export function unionOf(schema: Found, context: Context): Found[] {
  return ["oneOf", "anyOf"].flatMap((key) => followList(schema, key, context)).filter(({ node }) => !isNull(node));
}

/** A schema and all that apply to the same value: members of its unions and intersections, and its conditions. */
export function* partsOf(
  schema: Found,
  context: Context,
  keywords: ReadonlySet<unknown> = sameValue,
  seen: Set<unknown> = new Set(),
): Generator<Found> {
  if (seen.has(schema.node)) return;
  seen.add(schema.node);
  yield schema;
  for (const [keyword, part] of directParts(schema, context)) {
    if (keywords.has(keyword)) yield* partsOf(part, context, keywords, seen);
  }
}

/** The schemas directly inside a schema that apply to the same value, with their keywords. A `$ref` is like an `allOf`. */
export function directParts({ node, location }: Found, context: Context): [keyword: unknown, Found][] {
  const target = isReference(node) ? follow(node, location, context) : undefined;
  const inside = subschemas({ ...node }).filter(({ keys: [keyword] }) => sameValue.has(keyword));
  return [
    ...inside.map(({ keys, schema }): [unknown, Found] => [keys[0], { node: schema, location: location.child(keys) }]),
    ...(target === undefined ? [] : [["allOf", target] satisfies [unknown, Found]]),
  ];
}

/** Whether the schema is a choice between two or more alternatives other than null. */
export function isUnion(node: JsonObject): boolean {
  return ["oneOf", "anyOf"].some((key) => {
    const variants = listOf(member(node, key));
    return variants.filter((variant) => isReference(variant) || !isNull(variant)).length > 1;
  });
}

/** Whether the schema has the given type, with or without null. */
export function hasType(node: JsonObject, type: string): boolean {
  const types = [member(node, "type")].flat().filter((each) => each !== "null");
  return types.length === 1 && types[0] === type;
}

/** The schema of an array's items. */
export function itemsOf(schema: Found, context: Context): Found | undefined {
  return hasType(schema.node, "array") ? followMember(schema, "items", context) : undefined;
}

function isNull(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && "type" in schema && schema.type === "null";
}
