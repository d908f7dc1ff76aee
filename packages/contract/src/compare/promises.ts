import { type Basis, bases } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { type DocumentNode, child, items } from "../document.ts";
import { type Json, text } from "../json.ts";
import { became } from "./keys.ts";

function sentence(node: DocumentNode): string {
  return text(child(node, "text").value);
}

/** Whether two sentences share half of their words, so that one is probably an edit of the other. */
function alike(a: string, b: string): boolean {
  const [one, other] = [a, b].map((rule) => new Set(rule.toLowerCase().match(/[\p{L}\d_]+/gu) ?? []));
  if (one === undefined || other === undefined) return false;
  return [...one].filter((word) => other.has(word)).length * 2 >= Math.max(one.size, other.size);
}

/** Compares `x-rules`, the guarantees for callers, one by one. */
export function comparePromises(comparison: Comparison, pair: Pair): void {
  comparison.exhaust(pair, () => compareSentences(comparison, pair), "rewritten");
}

function compareSentences(comparison: Comparison, pair: Pair): void {
  const now = items(pair.revision);
  const nowhere = {
    base: { value: undefined, pointer: pair.base.pointer },
    revision: { value: undefined, pointer: pair.revision.pointer },
  };
  const take = (which: (node: DocumentNode) => boolean): DocumentNode | undefined => {
    const index = now.findIndex(which);
    return index < 0 ? undefined : now.splice(index, 1)[0];
  };
  const open = items(pair.base).filter((base) => {
    const revision = take((node) => sentence(node) === sentence(base));
    if (revision !== undefined) compareCertainty(comparison, { base, revision });
    return revision === undefined;
  });
  for (const base of open) {
    const revision = take((node) => alike(sentence(node), sentence(base)));
    if (revision === undefined) {
      comparison.report(
        "promise-withdrawn",
        { base, revision: nowhere.revision },
        `The rule "${sentence(base)}" was removed.`,
      );
      continue;
    }
    const what = `The rule "${sentence(base)}" became "${sentence(revision)}".`;
    comparison.report("promise-reworded", { base, revision }, what);
    compareCertainty(comparison, { base, revision });
  }
  for (const revision of now) {
    comparison.report("promise-added", { base: nowhere.base, revision }, `The rule "${sentence(revision)}" was added.`);
  }
}

function certainty(value: Json | undefined): number {
  return bases.findIndex((basis: Basis) => basis === value);
}

function compareCertainty(comparison: Comparison, { base, revision }: Pair): void {
  const at = { base: child(base, "basis"), revision: child(revision, "basis") };
  const [was, is] = [at.base, at.revision].map(({ value }) => certainty(value));
  if (was === undefined || is === undefined || was === is) return;
  comparison.report(
    is < was ? "basis-withdrawn" : "basis-changed",
    at,
    became(at, `The basis of the rule "${sentence(revision)}",`),
  );
}
