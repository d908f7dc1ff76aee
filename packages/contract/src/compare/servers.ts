import type { Comparison, Pair } from "../comparison.ts";
import { type DocumentNode, child, items } from "../document.ts";
import { type Json, brief, text } from "../json.ts";
import { extensionRules } from "./extensions.ts";
import { annotation, became, childPair, compareKeys, isOneSided, keysOf, passage } from "./keys.ts";

function url(node: DocumentNode): string {
  return text(child(node, "url").value);
}

/** A document without servers is served at its own address. */
const here: Json = [{ url: "/" }];

function compareVariables(comparison: Comparison, pair: Pair): void {
  const changed = passage("The default", "server-changed", "server-changed", "server-changed");
  for (const name of keysOf(pair)) {
    const at = childPair(pair, name);
    const isOnly = isOneSided(comparison, at, `variable \`${name}\``, "server-changed", "server-changed");
    const values = (_: Comparison, below: Pair): void => {
      const [was, is] = [below.base, below.revision].map(({ value }) => (Array.isArray(value) ? value : undefined));
      const lost = is !== undefined && (was === undefined || was.some((one) => !is.includes(one)));
      const widened = was?.length === is?.length ? "rewritten" : "server-widened";
      comparison.report(lost ? "server-changed" : widened, below, became(below, `\`enum\` of \`${name}\``));
    };
    const rules = { ...extensionRules, description: annotation("description-changed"), default: changed, enum: values };
    if (!isOnly) compareKeys(comparison, at, { rules });
  }
}

/**
 * Compares the server addresses. Servers with a changed address are matched by their position. Tools use the first one.
 */
export function compareServers(comparison: Comparison, pair: Pair): void {
  const listed = (node: DocumentNode): DocumentNode[] =>
    items(Array.isArray(node.value) && node.value.length > 0 ? node : { ...node, value: here });
  const before = listed(pair.base);
  const now = listed(pair.revision);
  comparison.exhaust(
    pair,
    () => {
      const left = before.filter((node) => !now.some((other) => url(other) === url(node)));
      const added = now.filter((node) => !before.some((other) => url(other) === url(node)));
      for (const base of before) {
        const revision = now.find((other) => url(other) === url(base));
        if (revision === undefined) continue;
        compareKeys(
          comparison,
          { base, revision },
          {
            rules: {
              ...extensionRules,
              description: annotation("description-changed"),
              variables: compareVariables,
            },
          },
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
      const [first, firstNow] = [before[0], now[0]];
      if (left.length === 0 && first !== undefined && firstNow !== undefined && url(first) !== url(firstNow)) {
        const what = `The first address is now ${brief(url(firstNow))}, and was ${brief(url(first))}.`;
        comparison.report("server-order", { base: first, revision: firstNow }, what);
      }
    },
    "rewritten",
  );
}
