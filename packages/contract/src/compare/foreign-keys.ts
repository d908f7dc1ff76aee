import { extensions, schemaKeywords } from "@trainyard/document";
import type { Comparison } from "../comparison.ts";
import { Document } from "../document.ts";
import { type Json, isObject, same } from "../json.ts";
import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import { became } from "./keys.ts";

/** A document without the `x-` keys that the dialect does not have, and these keys by their pointers. */
export interface Plain {
  readonly document: Document;
  readonly foreign: ReadonlyMap<string, Json>;
}

/** The keys of these objects are names, as those of every section of `components`. */
const named: ReadonlySet<string> = new Set([
  ...schemaKeywords.maps,
  "callbacks",
  "content",
  "dependentRequired",
  "encoding",
  "headers",
  "links",
  "mapping",
  "scopes",
  "security",
  "variables",
  "webhooks",
]);

/** Members whose values are data, not parts of the document. */
const data: ReadonlySet<string> = new Set(["example", "examples", "default", "const", "enum", ...extensions.keys()]);

/** Takes foreign keys out of a document, so that no comparison takes two objects for different because of them. */
export function withoutForeignKeys({ service, root }: Document): Plain {
  const foreign = new Map<string, Json>();
  const plain = (value: Json, pointer: string, isNamed: boolean): Json => {
    if (Array.isArray(value)) return value.map((item, index) => plain(item, join(pointer, index), isNamed));
    if (!isObject(value)) return value;
    const members = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      const at = join(pointer, key);
      if (isNamed) return [[key, plain(item, at, false)]];
      if (key.startsWith("x-") && !extensions.has(key)) {
        foreign.set(at, item);
        return [];
      }
      // The response named `default` is part of the document.
      const isData = data.has(key) && !pointer.endsWith("/responses");
      return [[key, isData ? item : plain(item, at, named.has(key) || /^\/components\/[^/]+$/.test(at))]];
    });
    return Object.fromEntries(members);
  };
  const bare = plain(root, "", false);
  return { document: new Document(service, isObject(bare) ? bare : {}), foreign };
}

/** Reports the foreign keys that differ, of the objects that both documents have. */
export function compareForeignKeys(comparison: Comparison, before: Plain, now: Plain): void {
  for (const pointer of new Set([...before.foreign.keys(), ...now.foreign.keys()])) {
    const [base, revision] = [before, now].map(({ foreign }) => ({ value: foreign.get(pointer), pointer }));
    if (base === undefined || revision === undefined || same(base.value, revision.value)) continue;
    const path = tokens(pointer);
    const key = path.pop() ?? "";
    const holder = join("", ...path);
    if ([before, now].every(({ document }) => document.at(holder).value !== undefined))
      comparison.report("foreign-key-changed", { base, revision }, became({ base, revision }, `\`${key}\``));
  }
}
