import { dialect } from "@trainyard/document";
import { operationsOf } from "../document.ts";
import type { Rule } from "../redocly.ts";

const { key } = dialect.clientOption;

/** Options of every client. */
const taken = new Set(
  (
    "baseUrl apiKey accessToken timeoutMs totalTimeoutMs maxRetries headers fetch middleware logger signal extraBody " +
    "extraQuery idempotencyKey"
  ).split(" "),
);

/** A client option fills one parameter, and does not have the name of a common option. */
export const clientOption: Rule = () => ({
  Root(root, context) {
    const parameters = new Map<string, string>();
    const judged = new Set<string>();
    for (const { node, location } of operationsOf(root, context).flatMap((operation) => operation.parameters)) {
      const option = node[key];
      if (typeof option !== "string" || judged.has(location.absolutePointer)) continue;
      judged.add(location.absolutePointer);
      const place = location.child(key);
      if (taken.has(option)) {
        const message = `Every client already has an option \`${option}\`. Choose another name.`;
        context.report({ message, location: place });
      }
      if (node["required"] === true) {
        const message = `An option is optional, so it cannot fill a required parameter. Make the parameter optional, or remove \`${key}\`.`;
        context.report({ message, location: place.key() });
      }
      const name = String(node["name"]);
      const filled = parameters.get(option);
      if (filled !== undefined && filled !== name) {
        const message = `The option \`${option}\` fills \`${filled}\` already. Choose another name.`;
        context.report({ message, location: place });
      }
      parameters.set(option, name);
    }
  },
});
