import { isObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import { contentsOf, followAll, operationsOf } from "../document.ts";
import { eventsOf, member, nodeOf, parseJson } from "../node.ts";
import type { Rule } from "../redocly.ts";

/**
 * Each variant of an extensible union, such as a kind of event, occurs in an example of a response. Otherwise the mock never
 * returns it, and readers of the reference never see it.
 */
export const variantExamples: Rule = () => {
  /** The string properties in all examples, as `type: training_ended`. */
  const shown = new Set<string>();
  return {
    Root(root, context) {
      for (const operation of operationsOf(root, context)) {
        for (const content of contentsOf(operation, context)) {
          if (content.of === "request") continue;
          for (const example of followAll(content, "examples", context).values()) {
            const value = member(example.node, "value");
            const isStream = content.mediaType === "text/event-stream" && typeof value === "string";
            for (const one of isStream ? eventsOf(value).parts.map(parseJson) : [value]) collect(one, shown);
          }
        }
      }
    },
    Schema(schema, context) {
      const { discriminator, [dialect.extensible.key]: isExtensible } = nodeOf(schema);
      if (isExtensible !== true || !isObject(discriminator)) return;
      const name = String(discriminator["propertyName"]);
      for (const tag of Object.keys(nodeOf(discriminator["mapping"]))) {
        if (shown.has(`${name}: ${tag}`)) continue;
        const message = `No example of a response has \`${name}: ${tag}\`. Add one, so that the mock and the reference show it.`;
        context.report({ message, location: context.location.child(["discriminator", "mapping", tag]).key() });
      }
    },
  };
};

function collect(value: unknown, shown: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === "string") shown.add(`${key}: ${each}`);
    else collect(each, shown);
  }
}
