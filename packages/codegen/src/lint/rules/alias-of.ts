import { isObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import { isAlias, nameOf, operationsOf } from "../document.ts";
import type { Rule } from "../redocly.ts";

/** The keys of an operation that affect clients. An alias is called like its operation. */
const shared = [dialect.resend, dialect.timeout, dialect.pagination, dialect.stream];
const { key: own } = dialect.aliasOf;
const { key: method } = dialect.clientMethod;

/** An alias names an operation of the document with the same HTTP method, has no other keys than it, and no method. */
export const aliasOf: Rule = () => ({
  Root(root, context) {
    const operations = operationsOf(root, context);
    for (const alias of operations.filter(isAlias)) {
      const id = alias.node[own];
      const target = operations.find(({ node }) => node["operationId"] === id);
      const location = alias.location.child(own);
      if (!target) {
        const message = `No operation of this document has the operationId \`${String(id)}\`. Write the operationId of the original operation.`;
        context.report({ message, location });
        continue;
      }
      if (isAlias(target)) {
        const message = `${nameOf(target)} is an alias itself. Name the original operation.`;
        context.report({ message, location });
      }
      if (target.method !== alias.method) {
        const message = `An alias must have the HTTP method of its operation, but ${nameOf(target)} has another one. Name an operation with ${alias.method.toUpperCase()}.`;
        context.report({ message, location });
      }
      if (Object.hasOwn(alias.node, method)) {
        const message = `An alias must not have a client method. Remove \`${method}\`.`;
        context.report({ message, location: alias.location.child(method).key() });
      }
      for (const { key } of shared) {
        if (Object.hasOwn(alias.node, key) && !same(alias.node[key], target.node[key])) {
          const message = `An alias must behave like its operation. Remove \`${key}\`, or use the value of ${nameOf(target)}.`;
          context.report({ message, location: alias.location.child(key).key() });
        }
      }
    }
  },
});

function same(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  return [...Object.keys(one), ...Object.keys(other)].every((key) => one[key] === other[key]);
}
