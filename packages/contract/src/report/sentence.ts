import { absence } from "../absence.ts";
import type { Change, Effect } from "../change.ts";
import type { PlacedChange } from "../service-report.ts";
import type { Kind } from "../kinds.ts";
import { verdicts } from "../verdict.ts";

const doing: Record<Effect["role"], string> = {
  call: "who calls",
  send: "who sends it with",
  read: "who reads it from",
  import: "who imports its type",
};

const alone: Record<Effect["role"], string> = {
  call: "every caller",
  send: "who sends it",
  read: "who reads it",
  import: "who imports its type",
};

/** Whom an effect concerns, in words: `who reads it from models.create`. */
export function whom(kind: Kind, { role, operations }: Effect): string {
  if (role === "send" && absence.has(kind))
    return ["who leaves it out of", operations.join(", ") || "a request"].join(" ");
  return operations.length === 0 ? alone[role] : `${doing[role]} ${operations.join(", ")}`;
}

/** What a change does to each role, worst first; nothing where it is neutral. */
export function consequences({ kind, verdict, effects }: Change): string[] {
  if (verdict === "neutral") return [];
  return effects
    .toSorted((a, b) => Number(b.verdict === "breaking") - Number(a.verdict === "breaking"))
    .map((effect) => `${effect.verdict === "breaking" ? "Breaks" : "Spares"} ${whom(kind, effect)}: ${effect.why}`);
}

/** Where consumers break: `Breaks src/train.ts:9 (uses.json)`. */
export function broken({ broken: uses }: PlacedChange): string[] {
  return uses.map(({ uses: file, places }) => `Breaks ${places.join(", ")} (${file})`);
}

/** "2 breaking, 1 additive, 14 neutral changes". */
export function tally(changes: readonly Change[]): string {
  const counts = verdicts.flatMap((verdict) => {
    const count = changes.filter((change) => change.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict}`];
  });
  return counts.length === 0 ? "no changes" : `${counts.join(", ")} change${changes.length === 1 ? "" : "s"}`;
}
