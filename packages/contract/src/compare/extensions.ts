import { isObject, joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import {
  type Extension,
  type KeyContext,
  extensions,
  keyChangeOf,
  type DocumentNode,
  type Json,
} from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { type Document } from "../document.ts";
import { type Compare, type Rules, became } from "./keys.ts";
import { comparePromises } from "./promises.ts";

/** The comparison of each of the contract's own keys, by its row of the dialect. */
export const extensionRules: Rules = Object.fromEntries([...extensions].map(([key, row]) => [key, compareKey(row)]));

function compareKey({ key, changes }: Extension): Compare {
  return (comparison, pair) => {
    const kind = keyChangeOf(changes, pair.base.value, pair.revision.value, contextOf(comparison, pair, key));
    if (kind !== undefined) comparison.report(kind, pair, became(pair, `\`${key}\``));
    else comparison.exhaust(pair, () => comparePromises(comparison, pair), "rewritten");
  };
}

function contextOf({ base, revision }: Comparison, pair: Pair, key: string): KeyContext {
  const method = tokens(pair.revision.pointer)[2];
  return {
    holders: [holder(base, pair.base), holder(revision, pair.revision)],
    around: [around(base, pair.base, key), around(revision, pair.revision, key)],
    ...(method !== undefined && { method }),
  };
}

function holder(document: Document, { pointer }: DocumentNode): KeyContext["holders"][0] {
  const { value } = document.at(join("", ...tokens(pointer).slice(0, -1)));
  return isObject(value) ? value : {};
}

/** The value of a key on the nearest object around the one that has it. */
function around(document: Document, { pointer }: DocumentNode, key: string): Json | undefined {
  const path = tokens(pointer).slice(0, -2);
  for (let end = path.length; end >= 0; end--) {
    const { value } = document.at(join("", ...path.slice(0, end), key));
    if (value !== undefined) return value;
  }
  return undefined;
}
