import { isObject } from "@trainyard/core/validation";
import { dialect, subschemas } from "@trainyard/document";
import { contentsOf, follow, followMember, operationsOf, type Found } from "../document.ts";
import { listOf, nodeOf } from "../node.ts";
import type { Context, Rule } from "../redocly.ts";

const { key } = dialect.extensible;

/**
 * An open set is an enumeration of strings or a discriminated union in a response: readers ignore members that it does not
 * list. Values in requests are always validated against the list.
 */
export const extensible: Rule = () => {
  const answered = new Set<string>();
  return {
    Root(root, context) {
      for (const operation of operationsOf(root, context)) {
        for (const content of contentsOf(operation, context)) {
          if (content.of === "request") continue;
          const schema = followMember(content, "schema", context);
          if (schema) reach(schema, answered, context);
        }
      }
    },
    Schema(schema, context) {
      const node = nodeOf(schema);
      if (!Object.hasOwn(node, key)) return;
      const location = context.location.child(key).key();
      const values = listOf(node["enum"]);
      const isNamed = values.some((value) => typeof value === "string");
      const isEnumeration = isNamed && values.every((value) => typeof value === "string" || value === null);
      if (!isEnumeration && !(Array.isArray(node["oneOf"]) && isObject(node["discriminator"]))) {
        const message = `\`${key}\` is allowed only on an enumeration of strings, or on a union with a discriminator. Move it there, or remove it.`;
        context.report({ message, location });
      } else if (!answered.has(context.location.absolutePointer)) {
        const message = `\`${key}\` is only for responses, and no response uses this schema. Remove it.`;
        context.report({ message, location });
      }
    },
  };
};

/** Visits a schema and all its references. */
function reach({ node, location }: Found, seen: Set<string>, context: Context): void {
  if (seen.has(location.absolutePointer)) return;
  seen.add(location.absolutePointer);
  for (const { keys, schema } of subschemas({ ...node })) {
    const found = follow(schema, location.child(keys), context);
    if (found) reach(found, seen, context);
  }
}
