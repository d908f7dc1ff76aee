import { dialect } from "@trainyard/document";
import { isAlias, nameOf, operationsOf } from "../document.ts";
import type { Rule } from "../redocly.ts";

const { key } = dialect.resend;

/** Each operation declares whether it may be retried, and `with-key` requires a declared `Idempotency-Key`. */
export const resend: Rule = () => ({
  Root(root, context) {
    for (const operation of operationsOf(root, context)) {
      const value = operation.node[key];
      if (value === undefined && !isAlias(operation)) {
        const message = `${nameOf(operation)} does not declare whether it may be retried. Add \`${key}: always\`, \`with-key\` or \`never\`.`;
        context.report({ message, location: operation.location.key() });
      }
      if (value === undefined) continue;
      const keyed = operation.parameters.some(
        ({ node }) => node["in"] === "header" && String(node["name"]).toLowerCase() === "idempotency-key",
      );
      const location = operation.location.child(key);
      if (value === "with-key" && !keyed) {
        const message =
          "`with-key` requires that the operation declares the key. Add the header parameter `Idempotency-Key`, or choose `always` or `never`.";
        context.report({ message, location });
      }
      if (value !== "with-key" && keyed) {
        const message = `The operation declares \`Idempotency-Key\`, so it may be retried with one. Write \`${key}: with-key\`, or remove the parameter.`;
        context.report({ message, location });
      }
    }
  },
});
