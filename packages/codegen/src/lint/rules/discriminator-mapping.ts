import { isObject } from "@trainyard/core/validation";
import { follow, followAll, followList, type Found } from "../document.ts";
import { listOf, nodeOf } from "../node.ts";
import type { Rule } from "../redocly.ts";

/**
 * A discriminator requires `type: object` and `oneOf`; each branch requires the property with a constant, and the mapping
 * maps each constant to its branch. Otherwise generators use the schema's name as the constant, and validators accept
 * arrays.
 */
export const discriminatorMapping: Rule = () => ({
  Schema(schema, context) {
    const union: Found = { node: nodeOf(schema), location: context.location };
    const discriminator = union.node["discriminator"];
    if (!isObject(discriminator)) return;
    const place = union.location.child("discriminator");
    const property = String(discriminator["propertyName"]);

    if (union.node["type"] !== "object") {
      const message = "A discriminator reads a property, so it cannot apply to an array. Add `type: object`.";
      context.report({ message, location: place.key() });
    }
    const branches = followList(union, "oneOf", context);
    if (branches.length === 0) {
      const message = "A discriminator requires `oneOf`. List the branches there.";
      context.report({ message, location: place.key() });
    }

    const mapping = new Map(Object.entries(nodeOf(discriminator["mapping"])));
    for (const branch of branches) {
      const declared = followAll(branch, "properties", context).get(property);
      const constant = declared?.node["const"];
      if (typeof constant !== "string" || !listOf(branch.node["required"]).includes(property)) {
        const message = `A branch of a discriminator must require \`${property}\` and give it a \`const\`. Add what is missing.`;
        context.report({ message, location: branch.location.key(), from: place });
        continue;
      }
      const mapped = mapping.get(constant);
      const target = follow({ $ref: mapped }, place, context);
      if (target?.location.absolutePointer !== branch.location.absolutePointer) {
        const message = `The mapping does not map \`${constant}\` to its branch. Add \`${constant}\` with a reference to that branch.`;
        context.report({ message, location: place.child(mapped === undefined ? "mapping" : ["mapping", constant]) });
      }
      mapping.delete(constant);
    }
    for (const name of mapping.keys()) {
      const message = `No branch has \`${property}: ${name}\`. Remove \`${name}\` from the mapping, or add the branch to \`oneOf\`.`;
      context.report({ message, location: place.child(["mapping", name]).key() });
    }
  },
});
