import { basename } from "node:path";
import { dialect } from "@trainyard/document";
import { forbiddenMethodParts } from "../../names.ts";
import { isAlias, nameOf, operationsOf, type Operation } from "../document.ts";
import type { Rule } from "../redocly.ts";

const { key } = dialect.clientMethod;

/**
 * Each operation that is not an alias has one unique method; no method is the group of another; its file is named after it.
 */
export const clientMethod: Rule = () => ({
  Root(root, context) {
    const methods = new Map<string, Operation>();
    for (const operation of operationsOf(root, context)) {
      const method = operation.node[key];
      const location = operation.location.child(key);
      if (method === undefined && !isAlias(operation)) {
        const message = `${nameOf(operation)} has no \`${key}\`. Add the name of the client's method, such as \`models.list\`.`;
        context.report({ message, location: operation.location.key() });
      }
      if (typeof method !== "string") continue;
      const before = methods.get(method);
      if (before) {
        const message = `\`${method}\` is already the method of ${nameOf(before)}. Choose another name.`;
        context.report({ message, location });
      }
      const word = method.split(".").find((each) => forbiddenMethodParts.has(each));
      if (word !== undefined) {
        const message = `No part of a method may be named \`${word}\`, because JavaScript gives that name a special meaning. Choose another name.`;
        context.report({ message, location });
      }
      const file = fileOf(operation, context.location.source.absoluteRef);
      if (file !== undefined && file !== kebabOf(method)) {
        const message = `An operation's file must be named after its method. Rename \`${file}.yaml\` to \`${kebabOf(method)}.yaml\`.`;
        context.report({ message, location });
      }
      methods.set(method, operation);
    }
    for (const [method, operation] of methods) {
      const group = [...methods.keys()].find((other) => other.startsWith(`${method}.`));
      if (group === undefined) continue;
      const message = `\`${method}\` cannot be a method, because \`${group}\` makes it a group. Rename one of them.`;
      context.report({ message, location: operation.location.child(key) });
    }
  },
});

/** The name of the operation's own file, if it has one. */
function fileOf(operation: Operation, document: string): string | undefined {
  const file = operation.location.source.absoluteRef;
  return file === document || operation.location.pointer !== "#/" ? undefined : basename(file, ".yaml");
}

function kebabOf(method: string): string {
  return method.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(".", "-");
}
