import { followAll, operationsOf } from "../document.ts";
import { nodeOf } from "../node.ts";
import type { Rule } from "../redocly.ts";

/** Headers of every response, and those that a status brings. */
const always = ["x-request-id"];
const byStatus: Readonly<Record<string, readonly string[]>> = {
  "401": ["WWW-Authenticate"],
  "429": ["Retry-After"],
  "503": ["Retry-After"],
};

/** Every response can be named in a report; a refusal says what to do next. */
export const responseHeaders: Rule = () => ({
  Root(root, context) {
    const judged = new Set<string>();
    for (const operation of operationsOf(root, context)) {
      for (const [status, response] of followAll(operation, "responses", context)) {
        const declared = new Set(Object.keys(nodeOf(response.node["headers"])).map((name) => name.toLowerCase()));
        for (const header of [...always, ...(byStatus[status] ?? [])]) {
          const fault = `${response.location.absolutePointer} ${header}`;
          if (declared.has(header.toLowerCase()) || judged.has(fault)) continue;
          judged.add(fault);
          const message = `A response of status ${status} carries \`${header}\`. Add it to \`headers\`.`;
          context.report({ message, location: response.location.key() });
        }
      }
    }
  },
});
