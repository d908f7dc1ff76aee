import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import { describeLeaving, isPresent, type Leaving, readLeaving } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { type DocumentNode, absent, items } from "../document.ts";
import { isObject, same } from "../json.ts";

/** Compares `x-leaving`, what leaves and cannot be `deprecated`, entry by entry. */
export function compareLeaving(comparison: Comparison, pair: Pair): void {
  const [before, now] = [entries(pair.base), entries(pair.revision)];
  const { value } = comparison.revision.at(join("", ...tokens(pair.revision.pointer).slice(0, -1)));
  for (const [id, { node: base, leaving }] of before) {
    const at = { base, revision: now.get(id)?.node ?? absent(pair.revision) };
    const kind = now.has(id)
      ? "term-changed"
      : isObject(value) && isPresent(leaving, value)
        ? "undeprecated"
        : leaving.of === "method"
          ? "method-removed"
          : "term-ended";
    const gone = `The method \`${String(leaving.what)}\` was removed.`;
    const what = kind === "method-removed" ? gone : `It said: ${describeLeaving(leaving)}`;
    if (!same(base.value, at.revision.value)) comparison.report(kind, at, what);
  }
  for (const [id, { node: revision, leaving }] of now) {
    const at = { base: absent(pair.base), revision };
    if (!before.has(id)) comparison.report("deprecated", at, describeLeaving(leaving));
  }
}

/** The entries by what leaves. */
function entries(list: DocumentNode): ReadonlyMap<string, { readonly node: DocumentNode; readonly leaving: Leaving }> {
  return new Map(
    items(list).flatMap((node) => {
      const leaving = readLeaving(node.value);
      return leaving === undefined ? [] : [[JSON.stringify([leaving.of, leaving.what]), { node, leaving }] as const];
    }),
  );
}
