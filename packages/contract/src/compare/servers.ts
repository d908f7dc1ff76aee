import type { Comparison, Pair } from "../comparison.ts";
import { type Spot, child, items } from "../document.ts";
import { brief, text } from "../json.ts";
import { compareKeys, words } from "./keys.ts";

function url(spot: Spot): string {
  return text(child(spot, "url").value);
}

/** Compares the addresses of a service. They are known by their place in the list where their address has changed. */
export function compareServers(comparison: Comparison, pair: Pair): void {
  const before = items(pair.base);
  const now = items(pair.revision);
  comparison.exhaust(
    pair,
    () => {
      const left = before.filter((spot) => !now.some((other) => url(other) === url(spot)));
      const added = now.filter((spot) => !before.some((other) => url(other) === url(spot)));
      for (const base of before) {
        const revision = now.find((other) => url(other) === url(base));
        if (revision === undefined) continue;
        const changed = (): void =>
          comparison.report("server-changed", { base, revision }, `${brief(url(base))} has other variables.`);
        compareKeys(
          comparison,
          { base, revision },
          { rules: { description: words("description-changed"), variables: changed } },
        );
      }
      for (const [index, base] of left.entries()) {
        const revision = added[index];
        if (revision === undefined) {
          const at = { base, revision: { value: undefined, pointer: pair.revision.pointer } };
          comparison.report("server-removed", at, `The address ${brief(url(base))} was removed.`);
        } else
          comparison.report(
            "server-changed",
            { base, revision },
            `${brief(url(base))} became ${brief(url(revision))}.`,
          );
      }
      for (const revision of added.slice(left.length)) {
        const at = { base: { value: undefined, pointer: pair.base.pointer }, revision };
        comparison.report("server-added", at, `The address ${brief(url(revision))} was added.`);
      }
    },
    "rewritten",
  );
}
