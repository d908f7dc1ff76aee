import { type DocumentNode, absent, child, items, type Json } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { brief, text } from "../json.ts";
import { extensionRules } from "./extensions.ts";
import { annotation, became, childPair, compareKeys, isOneSided, keysOf, passage } from "./keys.ts";

function url(node: DocumentNode): string {
  return text(child(node, "url").value);
}

/** A document without servers is served at its own address. */
const here: Json = [{ url: "/" }];

function compareVariables(comparison: Comparison, pair: Pair): void {
  const changed = passage("The default", "server-changed");
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
  const isOnly = (at: Pair, named: DocumentNode): boolean =>
    isOneSided(comparison, at, `address ${brief(url(named))}`, "server-added", "server-removed");
  const rules = {
    ...extensionRules,
    description: annotation("description-changed"),
    variables: compareVariables,
  };
  comparison.exhaust(
    pair,
    () => {
      const left = before.filter((node) => !now.some((other) => url(other) === url(node)));
      const added = now.filter((node) => !before.some((other) => url(other) === url(node)));
      for (const base of before) {
        const revision = now.find((other) => url(other) === url(base));
        if (revision !== undefined) compareKeys(comparison, { base, revision }, { rules });
      }
      for (const [index, base] of left.entries()) {
        const revision = added[index];
        const what = `${brief(url(base))} became ${brief(url(revision ?? base))}.`;
        if (revision === undefined) isOnly({ base, revision: absent(pair.revision) }, base);
        else comparison.report("server-changed", { base, revision }, what);
      }
      for (const revision of added.slice(left.length)) isOnly({ base: absent(pair.base), revision }, revision);
      const [first, firstNow] = [before[0], now[0]];
      if (left.length === 0 && first !== undefined && firstNow !== undefined && url(first) !== url(firstNow)) {
        const what = `The first address is now ${brief(url(firstNow))}, and was ${brief(url(first))}.`;
        comparison.report("server-order", { base: first, revision: firstNow }, what);
      }
    },
    "rewritten",
  );
}
