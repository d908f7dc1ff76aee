import { joinPointer } from "@trainyard/core/validation";
import type { Located } from "./locate.ts";
import type { Document } from "./read-document.ts";
import { subschemas } from "./subschemas.ts";

/** Every schema of a document that is an object: its components, and those of parameters, bodies and responses. */
export function everySchema({ operations, schemas }: Pick<Document, "operations" | "schemas">): Located[] {
  const bodies = operations.flatMap(({ body, responses }) => [...(body ? [body] : []), ...responses.values()]);
  const found = [
    ...schemas.values(),
    ...operations.flatMap(({ parameters }) => parameters.map(({ schema }) => schema)),
    ...bodies.flatMap(({ content }) => [...content.values()].flatMap(({ schema }) => schema ?? [])),
  ];
  const every = new Map<object, Located>();
  for (const located of found) {
    if (every.has(located.node)) continue;
    every.set(located.node, located);
    for (const { keys, schema } of subschemas(located.node))
      found.push({ node: schema, pointer: joinPointer(located.pointer, ...keys) });
  }
  return [...every.values()];
}
