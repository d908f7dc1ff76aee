import { contentsOf, followAll, nameOf, operationsOf } from "../document.ts";
import { member } from "../node.ts";
import type { Place, Rule } from "../redocly.ts";

const placeholder = /^(string|default|sample|value|test|foo|example)?[-_ ]?(example|value)?[-_ ]?\d*$/i;

/** Each body of a request or response has examples with a name and a summary of their case. */
export const examples: Rule = () => ({
  Root(root, context) {
    const judged = new Set<string>();
    for (const operation of operationsOf(root, context)) {
      for (const content of contentsOf(operation, context)) {
        if (judged.has(content.location.absolutePointer)) continue;
        judged.add(content.location.absolutePointer);

        if (Object.hasOwn(content.node, "example")) {
          const message = "An example must have a name. Move it to `examples`.";
          context.report({ message, location: content.location.child("example").key() });
        }
        const named = followAll(content, "examples", context);
        if (named.size === 0) {
          const message = `The ${content.of} of ${nameOf(operation)} has no example of ${content.mediaType}. Add a named example to \`examples\`.`;
          context.report({ message, location: content.location.key() });
        }
        for (const [name, example] of named) {
          if (placeholder.test(name)) {
            const message = `\`${name}\` does not describe the case. Name the example after what it shows.`;
            context.report({ message, location: content.location.child(["examples", name]).key() });
          }
          if (judged.has(example.location.absolutePointer)) continue;
          judged.add(example.location.absolutePointer);
          const summary = member(example.node, "summary");
          if (typeof summary !== "string" || placeholder.test(summary.trim())) {
            const message =
              "An example must have a `summary` that describes its case. Write one by which readers can choose the example.";
            context.report({ message, location: example.location.child("summary") });
          }
          for (const place of placeholders(member(example.node, "value"), example.location.child("value"))) {
            const message = 'The value "string" is a placeholder. Write a realistic value.';
            context.report({ message, location: place });
          }
        }
      }
    }
  },
});

/** Where a value is "string"; as a `type` it belongs to the schema of a tool. */
function placeholders(value: unknown, location: Place): Place[] {
  if (value === "string") return [location];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "type" ? [] : placeholders(each, location.child(key)),
  );
}
