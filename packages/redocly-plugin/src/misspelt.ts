import { editDistance, schemaKeywords } from "@trainyard/document";
import { follow, followAll, type Found } from "./document.ts";
import { isNode, listOf, member } from "./node.ts";
import type { Context } from "./redocly.ts";

/** A property of an example that its schema does not declare, and the declared one that was most likely meant. */
export interface Misspelling {
  readonly path: readonly string[];
  readonly written: string;
  readonly meant: string;
}

/**
 * Finds the properties of a value that are a letter or two away from one that its schema declares and the value does not have. An
 * open schema takes any name, so nothing else would see it.
 */
export function misspellings(
  value: unknown,
  schema: Found,
  context: Context,
  path: readonly string[] = [],
): Misspelling[] {
  const parts = [...partsOf(schema, context)];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      parts.flatMap((part) => {
        const items = follow(member(part.node, "items"), part.location.child("items"), context);
        return items === undefined ? [] : misspellings(item, items, context, [...path, String(index)]);
      }),
    );
  }
  // The names of a map are anybody's.
  if (
    !isNode(value) ||
    parts.some(({ node }) => isNode(node["additionalProperties"]) || isNode(node["patternProperties"]))
  )
    return [];
  const declared = new Map<string, Found[]>();
  for (const part of parts) {
    for (const [name, found] of followAll(part, "properties", context)) {
      declared.set(name, [...(declared.get(name) ?? []), found]);
    }
  }
  const absent = [...declared.keys()].filter((name) => !Object.hasOwn(value, name));
  return Object.entries(value).flatMap(([name, below]): Misspelling[] => {
    const own = declared.get(name);
    if (own !== undefined) return own.flatMap((found) => misspellings(below, found, context, [...path, name]));
    const meant = absent.find((other) => editDistance(name, other) <= Math.min(2, Math.floor(other.length / 4)));
    return meant === undefined ? [] : [{ path: [...path, name], written: name, meant }];
  });
}

/** A schema with all that it is a union or an intersection of. */
function* partsOf(schema: Found, context: Context, seen: Set<unknown> = new Set()): Generator<Found> {
  if (seen.has(schema.node)) return;
  seen.add(schema.node);
  yield schema;
  for (const key of schemaKeywords.lists.filter((one) => one !== "prefixItems")) {
    for (const [index, part] of listOf(schema.node[key]).entries()) {
      const found = follow(part, schema.location.child([key, index]), context);
      if (found) yield* partsOf(found, context, seen);
    }
  }
}
