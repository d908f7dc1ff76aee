import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import { describeLeaving, dialect, isPresent, type Leaving, readLeaving } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { type DocumentNode, items } from "../document.ts";
import { isObject, same } from "../json.ts";

/** Compares `x-leaving`, what leaves and cannot be `deprecated`, entry by entry. */
export function compareLeaving(comparison: Comparison, pair: Pair): void {
  comparison.exhaust(pair, () => compareEntries(comparison, pair), "rewritten");
}

function compareEntries(comparison: Comparison, pair: Pair): void {
  const [before, now] = [entries(pair.base), entries(pair.revision)];
  const { value } = comparison.revision.at(join("", ...tokens(pair.revision.pointer).slice(0, -1)));
  const holder = isObject(value) ? value : {};
  const method = dialect.clientMethod.read(holder);
  for (const [id, { node: base, leaving }] of before) {
    const revision = now.get(id);
    const at = { base, revision: revision?.node ?? { value: undefined, pointer: pair.revision.pointer } };
    const said = describeLeaving(leaving);
    if (revision !== undefined) {
      const what = `It said "${said}" and now says "${describeLeaving(revision.leaving)}".`;
      if (!same(base.value, revision.node.value)) comparison.report("term-changed", at, what);
    } else if (isPresent(leaving, holder, method)) {
      comparison.report("undeprecated", at, `It no longer says "${said}".`);
    } else if (leaving.of === "method") {
      comparison.report("method-removed", at, `The former name \`${String(leaving.what)}\` of the method was removed.`);
    } else comparison.report("term-ended", at, `It no longer says "${said}".`);
  }
  for (const [id, { node: revision, leaving }] of now) {
    if (before.has(id)) continue;
    comparison.report(
      "deprecated",
      { base: { value: undefined, pointer: pair.base.pointer }, revision },
      describeLeaving(leaving),
    );
  }
}

/** The entries by what leaves. */
function entries(list: DocumentNode): ReadonlyMap<string, { readonly node: DocumentNode; readonly leaving: Leaving }> {
  return new Map(
    items(list).flatMap((node) => {
      const leaving = isObject(node.value) ? readLeaving(node.value) : undefined;
      return leaving === undefined
        ? []
        : [[`${leaving.of} ${JSON.stringify(leaving.what)}`, { node, leaving }] as const];
    }),
  );
}
