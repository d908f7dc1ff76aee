import type { Comparison, Pair } from "../comparison.ts";
import type { Document, DocumentNode } from "../document.ts";

/**
 * Compares what two locations resolve to, once for each role. A reference may be replaced by one to another component, or
 * by its content, without an effect.
 */
export function followed(comparison: Comparison, pair: Pair, compare: (pair: Pair) => void): void {
  if (comparison.untouched(pair)) return;
  const base = bare(comparison.base, pair.base);
  const revision = bare(comparison.revision, pair.revision);
  const run = (): void => comparison.once({ base, revision }, () => compare({ base, revision }));
  if (base.pointer === revision.pointer) run();
  else comparison.exhaust(pair, run, "rewritten");
}

/** The target of a reference without other keywords. */
function bare(document: Document, node: DocumentNode): DocumentNode {
  return document.follow(node, (value) => Object.keys(value).length === 1);
}
