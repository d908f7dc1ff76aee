import { isObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import { followAll, followMember, operationsOf, type Found, type Operation } from "../document.ts";
import { listOf } from "../node.ts";
import type { Context, Rule } from "../redocly.ts";
import { hasType, itemsOf, propertyOf } from "../schema.ts";

const { key } = dialect.pagination;

/** The names in `x-pagination` exist: the query parameter, the flag of the response, and the property of each item. */
export const pagination: Rule = () => ({
  Root(root, context) {
    for (const operation of operationsOf(root, context)) {
      const value = operation.node[key];
      if (!isObject(value)) continue;
      const { cursor, item, more } = value;
      const location = operation.location.child(key);

      if (!operation.parameters.some(({ node }) => node["in"] === "query" && node["name"] === cursor)) {
        const message = `The operation has no query parameter \`${String(cursor)}\`. Declare it, or name the parameter for the cursor.`;
        context.report({ message, location: location.child("cursor") });
      }
      const page = pageOf(operation, context);
      if (!page) {
        const message = `A page must be a JSON response with status 200. Declare it, or remove \`${key}\`.`;
        context.report({ message, location: location.key() });
        continue;
      }
      const flag = propertyOf(page, String(more), context);
      if (!flag.every((each) => each && hasType(each.node, "boolean")) || !isRequired(page, more)) {
        const message = `The response has no required boolean \`${String(more)}\`. Declare it, or name the property that says whether there are more pages.`;
        context.report({ message, location: location.child("more") });
      }
      const [data] = propertyOf(page, "data", context);
      const items = data && itemsOf(data, context);
      if (!items || !isRequired(page, "data")) {
        const message = `The response has no required array \`data\` for its items. Declare it, or remove \`${key}\`.`;
        context.report({ message, location: location.key() });
        continue;
      }
      if (propertyOf(items, String(item), context).includes(undefined)) {
        const message = `Some items of \`data\` have no \`${String(item)}\`. Name the property that is the cursor.`;
        context.report({ message, location: location.child("item") });
      }
    }
  },
});

function pageOf(operation: Operation, context: Context): Found | undefined {
  const response = followAll(operation, "responses", context).get("200");
  const content = response && followAll(response, "content", context).get("application/json");
  return content && followMember(content, "schema", context);
}

function isRequired(schema: Found, name: unknown): boolean {
  return listOf(schema.node["required"]).includes(name);
}
