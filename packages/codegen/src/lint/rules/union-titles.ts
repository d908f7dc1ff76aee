import { nodeOf } from "../node.ts";
import type { Rule } from "../redocly.ts";
import { isUnion, unionOf } from "../schema.ts";

/**
 * Each variant of a union has a unique title, and the union has none: references label every variant with the union's. A
 * variant that is itself a union is shown by its own variants.
 */
export const unionTitles: Rule = () => ({
  Schema(schema, context) {
    const node = nodeOf(schema);
    if (!isUnion(node)) return;
    if (Object.hasOwn(node, "title")) {
      const message = "The title of a union hides those of its variants. Remove it, and give each variant a title.";
      context.report({ message, location: context.location.child("title").key() });
    }
    const titles = new Set<unknown>();
    for (const variant of unionOf({ node, location: context.location }, context)) {
      const { title } = variant.node;
      if (typeof title !== "string" || title.trim() === "") {
        if (isUnion(variant.node)) continue;
        const message =
          "A variant of a union must have a title, under which it is shown. Add a `title` of one or two words.";
        context.report({ message, location: variant.location, from: context.location });
      } else if (titles.has(title)) {
        const message = `Two variants of the union are called \`${title}\`. Give this one another title.`;
        context.report({ message, location: variant.location.child("title"), from: context.location });
      }
      titles.add(title);
    }
  },
});
