import { kindsOfOmission } from "../kinds-of-omission.ts";
import type { Change, Effect } from "../change.ts";
import type { PlacedChange } from "../service-report.ts";
import type { Kind } from "../kinds.ts";
import { type Verdict, verdicts } from "../verdict.ts";

const doing: Record<Effect["role"], string> = {
  call: "who calls",
  send: "who sends it with",
  read: "who reads it from",
  error: "who reads it from an error of",
  import: "who imports its type",
};

const alone: Record<Effect["role"], string> = {
  call: "every caller",
  send: "who sends it",
  read: "who reads it",
  error: "who reads it from an error",
  import: "who imports its type",
};

/** So many names are told; of the rest, how many there are. */
const namesTold = 3;

/** Names as people read them: three of them, and how many more there are. */
export function namesInWords(names: readonly string[]): string {
  const more = names.length - namesTold;
  // To leave one out would take more room than to name it.
  if (more <= 1) return names.join(", ");
  return `${names.slice(0, namesTold).join(", ")} and ${more} more`;
}

/** Whom an effect concerns, in words: `who reads it from models.create`. */
export function whom(kind: Kind, { role, operations }: Effect): string {
  const names = namesInWords(operations);
  if (role === "send" && kindsOfOmission.has(kind)) return ["who leaves it out of", names || "a request"].join(" ");
  return operations.length === 0 ? alone[role] : `${doing[role]} ${names}`;
}

const verbs: Record<Verdict, string> = {
  breaking: "Breaks",
  warning: "May surprise",
  additive: "Spares",
  neutral: "Spares",
};

/** What a change does to each role and audience, worst first; nothing where it is neutral. */
export function consequences({ kind, verdict, effects }: Change): string[] {
  if (verdict === "neutral") return [];
  return effects
    .filter((effect) => effect.verdict !== "neutral")
    .toSorted((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict))
    .map((effect) => `${verbs[effect.verdict]} ${whom(kind, effect)} (${effect.audience}): ${effect.why}`);
}

/** Why a change was let through, where it was. */
export function acceptance({ accepted }: Change): string[] {
  return accepted === undefined ? [] : [`Accepted: ${accepted.reason} (${accepted.file})`];
}

/** Where consumers break: `Breaks src/train.ts:9 (uses.json)`. */
export function broken({ broken: uses }: PlacedChange): string[] {
  return uses.map(({ uses: file, places }) => `Breaks ${namesInWords(places)} (${file})`);
}

/** "2 breaking, 1 additive, 14 neutral changes". */
export function tally(changes: readonly Change[]): string {
  const counts = verdicts.flatMap((verdict) => {
    const count = changes.filter((change) => change.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict}`];
  });
  return counts.length === 0 ? "no changes" : `${counts.join(", ")} change${changes.length === 1 ? "" : "s"}`;
}
