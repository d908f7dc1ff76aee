import { extensions, withoutKeys, type Json, same } from "@trainyard/document";
import { sides, type Comparison, type Side } from "../comparison.ts";
import { Document } from "../document.ts";
import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import { became } from "./keys.ts";

/** A document without the `x-` keys that the dialect does not have, and these keys by their pointers. */
export interface Plain {
  readonly document: Document;
  readonly foreign: ReadonlyMap<string, Json>;
}

/** Takes foreign keys out of a document, so that no comparison takes two objects for different because of them. */
export function withoutForeignKeys(document: Document): Plain {
  const foreign = new Map<string, Json>();
  const bare = withoutKeys(document.root, (key, path) => {
    const { pointer, value } = document.at(join("", ...path, key));
    if (extensions.has(key) || value === undefined) return false;
    foreign.set(pointer, value);
    return true;
  });
  return { document: new Document(document.service, bare), foreign };
}

/** Reports the foreign keys that differ, of the objects that both documents have. */
export function compareForeignKeys(comparison: Comparison, plain: Readonly<Record<Side, Plain>>): void {
  for (const pointer of new Set([...plain.base.foreign.keys(), ...plain.revision.foreign.keys()])) {
    const pair = sides((side) => ({ value: plain[side].foreign.get(pointer), pointer }));
    if (same(pair.base.value, pair.revision.value)) continue;
    const path = tokens(pointer);
    const key = path.pop() ?? "";
    const holder = join("", ...path);
    if ([plain.base, plain.revision].every(({ document }) => document.at(holder).value !== undefined))
      comparison.report("foreign-key-changed", pair, became(pair, `\`${key}\``));
  }
}
