import { dialect } from "@trainyard/document";
import { follow } from "../document.ts";
import { isReference, member, nodeOf } from "../node.ts";
import type { Rule } from "../redocly.ts";

/** Properties in a condition, which are declared elsewhere. */
const condition = /(?<!\/properties)\/(?:not|if|then|else)\/properties$/;

/** Every property has a description or a rule for callers, inline or at its reference's target. */
export const propertyDescription: Rule = () => ({
  SchemaProperties(properties, context) {
    if (condition.test(context.location.pointer)) return;
    for (const [name, property] of Object.entries(nodeOf(properties))) {
      const location = context.location.child(name);
      const target = isReference(property) ? follow(property, location, context)?.node : undefined;
      const texts = [nodeOf(property), target ?? {}].flatMap((node) => [
        member(node, "description"),
        member(node, dialect.rules.key),
      ]);
      if (texts.some((text) => text !== undefined)) continue;
      const message = `\`${name}\` has no description. Describe it in a sentence, with its unit.`;
      context.report({ message, location: location.key() });
    }
  },
});
