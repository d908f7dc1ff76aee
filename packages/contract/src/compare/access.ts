import type { Comparison, Pair } from "../comparison.ts";
import { type Document, type DocumentNode, items, child } from "../document.ts";
import { isObject } from "../json.ts";

/** The sides on which a property is used in the current direction. */
export type Access = "both" | "before" | "now" | "neither";

/**
 * The sides on which a property is used in the current direction: a read-only property is not sent, and a write-only
 * property is not read. A side without the property is treated like the other side, so that additions and removals are
 * reported as such.
 */
export function accessOf({ base, revision, role }: Comparison, pair: Pair): Access {
  const key = role === "send" ? "readOnly" : "writeOnly";
  const before = pair.base.value !== undefined && !isMarked(base, pair.base, key);
  const now = pair.revision.value !== undefined && !isMarked(revision, pair.revision, key);
  if (pair.base.value === undefined) return now || pair.revision.value === undefined ? "both" : "neither";
  if (pair.revision.value === undefined) return before ? "both" : "neither";
  return before ? (now ? "both" : "before") : now ? "now" : "neither";
}

function isMarked(document: Document, node: DocumentNode, key: "readOnly" | "writeOnly"): boolean {
  const { value } = node;
  if (!isObject(value)) return false;
  if (value[key] === true || items(child(node, "allOf")).some((member) => isMarked(document, member, key))) return true;
  const target = document.follow(node);
  return target.pointer !== node.pointer && isMarked(document, target, key);
}
