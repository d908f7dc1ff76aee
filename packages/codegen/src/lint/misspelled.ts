import { isObject } from "@trainyard/core/validation";
import { editDistance } from "@trainyard/document";
import { follow, followAll, type Found } from "./document.ts";
import { member } from "./node.ts";
import type { Context } from "./redocly.ts";
import { partsOf } from "./schema.ts";

/** An undeclared property of an example, and the declared property that was most likely meant. */
export interface Misspelling {
  readonly path: readonly string[];
  readonly written: string;
  readonly meant: string;
}

/**
 * Finds properties of a value that are one or two letters away from a declared property that the value lacks. An open
 * schema accepts any name, so no other check finds them.
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
  // The names of a map are free.
  if (
    !isObject(value) ||
    parts.some(({ node }) => isObject(node["additionalProperties"]) || isObject(node["patternProperties"]))
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
