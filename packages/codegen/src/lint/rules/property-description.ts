import { follow } from "../document.ts";
import { isReference, member, nodeOf } from "../node.ts";
import type { Rule } from "../redocly.ts";

/** Properties in a condition, which are declared elsewhere. */
const condition = /(?<!\/properties)\/(?:not|if|then|else)\/properties$/;

/** Every property has a description, inline or at its reference's target. */
export const propertyDescription: Rule = () => ({
  SchemaProperties(properties, context) {
    if (condition.test(context.location.pointer)) return;
    for (const [name, property] of Object.entries(nodeOf(properties))) {
      const location = context.location.child(name);
      const own = member(nodeOf(property), "description");
      const target = isReference(property) ? follow(property, location, context) : undefined;
      if (own !== undefined || target?.node["description"] !== undefined) continue;
      const message = `\`${name}\` has no description. Describe it in a sentence, with its unit.`;
      context.report({ message, location: location.key() });
    }
  },
});
