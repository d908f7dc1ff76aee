import { bases, type DocumentNode, absent, child, items } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { text } from "../json.ts";
import { became, isOneSided } from "./keys.ts";

function sentence(node: DocumentNode): string {
  return text(child(node, "text").value);
}

/** Compares `x-rules`, the guarantees for callers, one by one. */
export function comparePromises(comparison: Comparison, pair: Pair): void {
  const now = items(pair.revision);
  const isOnly = (at: Pair, named: DocumentNode): boolean =>
    isOneSided(comparison, at, `rule "${sentence(named)}"`, "promise-added", "promise-withdrawn");
  for (const base of items(pair.base)) {
    const { value: id } = child(base, "id");
    // Documents of older versions have rules without ids.
    const found = now.findIndex((node) =>
      id === undefined ? sentence(node) === sentence(base) : child(node, "id").value === id,
    );
    const [revision = absent(pair.revision)] = found < 0 ? [] : now.splice(found, 1);
    if (isOnly({ base, revision }, base)) continue;
    if (sentence(base) !== sentence(revision)) {
      const what = `The rule \`${text(id)}\` said "${sentence(base)}" and now says "${sentence(revision)}".`;
      comparison.report("promise-reworded", { base, revision }, what);
    }
    compareCertainty(comparison, { base, revision });
  }
  for (const revision of now) isOnly({ base: absent(pair.base), revision }, revision);
}

function compareCertainty(comparison: Comparison, { base, revision }: Pair): void {
  const at = { base: child(base, "basis"), revision: child(revision, "basis") };
  const [was = 0, is = 0] = [at.base, at.revision].map(({ value }) => bases.findIndex((basis) => basis === value));
  if (was === is) return;
  const kind = is < was ? "basis-withdrawn" : "basis-changed";
  comparison.report(kind, at, became(at, `The basis of the rule "${sentence(revision)}",`));
}
