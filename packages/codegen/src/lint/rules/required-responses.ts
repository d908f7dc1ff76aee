import { isObject, type JsonObject } from "@trainyard/core/validation";
import { nameOf, operationsOf, type Operation } from "../document.ts";
import { listOf, nodeOf } from "../node.ts";
import type { Rule } from "../redocly.ts";

/** The responses that an operation must declare, and why. */
const required: readonly (readonly [
  codes: readonly string[],
  needs: (operation: Operation, root: JsonObject) => boolean,
  why: string,
])[] = [
  [["200"], () => true, "success is always 200"],
  [["401"], isSecured, "its credential can be missing or invalid"],
  [["404"], ({ path }) => path.includes("{"), "its path names something that may not exist"],
  [["409"], hasParameter("header", "idempotency-key"), "the same key can be sent with another body"],
  [["413"], hasBody, "its body can be too large"],
  [["422", "400"], (operation) => hasBody(operation) || hasParameter("query")(operation), "its input can be invalid"],
  [["429"], isSecured, "a caller can send too many requests"],
  [["500"], () => true, "any operation can fail"],
  [["503"], () => true, "any service can be overloaded"],
];

/** Each operation declares every possible response, so that clients and mocks support it. */
export const requiredResponses: Rule = () => ({
  Root(root, context) {
    for (const operation of operationsOf(root, context)) {
      const declared = Object.keys(nodeOf(operation.node["responses"]));
      const location = operation.location.child("responses");
      for (const [codes, needs, why] of required) {
        if (!needs(operation, nodeOf(root)) || codes.some((code) => declared.includes(code))) continue;
        const message = `${nameOf(operation)} declares no ${codes.join(" or ")}: ${why}. Add that response.`;
        context.report({ message, location: location.key() });
      }
      for (const code of declared) {
        if (code === "200" || !/^(?:[123]|default)/.test(code)) continue;
        const message = `Success is always 200. Declare the response of ${code} as 200.`;
        context.report({ message, location: location.child(code).key() });
      }
    }
  },
});

function hasBody({ node }: Operation): boolean {
  return node["requestBody"] !== undefined;
}

function hasParameter(place: string, name?: string): (operation: Operation) => boolean {
  return ({ parameters }) =>
    parameters.some(
      ({ node }) => node["in"] === place && (name === undefined || String(node["name"]).toLowerCase() === name),
    );
}

/** Whether every call needs a credential; `{}` among the alternatives means that it does not. */
function isSecured({ node }: Operation, root: JsonObject): boolean {
  const alternatives = listOf(node["security"] ?? root["security"]);
  return alternatives.length > 0 && alternatives.every((each) => isObject(each) && Object.keys(each).length > 0);
}
