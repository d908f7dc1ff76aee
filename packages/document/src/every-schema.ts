import { isObject, joinPointer } from "@trainyard/core/validation";
import { locate, type Located } from "./locate.ts";
import type { Document } from "./read-document.ts";
import { subschemas } from "./schema/keywords.ts";

/**
 * Every schema of a document that is an object: its components, and those of parameters, bodies and responses. References
 * are not resolved.
 */
export function everySchema({ root, operations }: Pick<Document, "root" | "operations">): Located[] {
  const { node: components } = locate(root, "#/components/schemas");
  const found: Located[] = Object.entries(components).flatMap(([name, node]) =>
    isObject(node) ? { node, pointer: joinPointer("#/components/schemas", name) } : [],
  );
  const holders = operations.flatMap(({ parameters, body, responses }) => [
    ...parameters,
    ...[...(body ? [body] : []), ...responses.values()].flatMap(({ content }) => [...content.values()]),
  ]);
  for (const { node, pointer } of holders)
    if (isObject(node["schema"])) found.push({ node: node["schema"], pointer: joinPointer(pointer, "schema") });
  const every = new Map<object, Located>();
  for (const located of found) {
    if (every.has(located.node)) continue;
    every.set(located.node, located);
    for (const { keys, schema } of subschemas(located.node))
      found.push({ node: schema, pointer: joinPointer(located.pointer, ...keys) });
  }
  return [...every.values()];
}
