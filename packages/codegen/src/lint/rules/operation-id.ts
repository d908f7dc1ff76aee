import { isAlias, nameOf, operationsOf } from "../document.ts";
import type { Rule } from "../redocly.ts";

/**
 * An operationId is the summary in snake case, the path with `_` for each character that is not a letter, digit or `_`, and
 * the method: `log_v1_preview_models__model_id__log_post`. An alias has `_alias` after its summary, because many generators
 * drop underscores: two ids that differ only in those would become the same name.
 */
export const operationId: Rule = () => ({
  Root(root, context) {
    for (const operation of operationsOf(root, context)) {
      const { summary, operationId: id } = operation.node;
      if (typeof summary !== "string") continue;
      const name = summary.trim().toLowerCase().replaceAll(/\s+/g, "_");
      const alias = isAlias(operation) ? "_alias" : "";
      const expected = `${`${name}${alias}${operation.path}`.replaceAll(/\W/g, "_")}_${operation.method}`;
      if (id === expected) continue;
      const message = `The operationId must be built from summary, path and method. Write \`${expected}\` for ${nameOf(operation)}.`;
      context.report({ message, location: operation.location.child("operationId") });
    }
  },
});
