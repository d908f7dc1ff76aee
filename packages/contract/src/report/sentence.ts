import { kindsOfOmission } from "../kinds-of-omission.ts";
import type { Change, Effect } from "../change.ts";
import type { LocatedChange } from "../service-report.ts";
import type { Kind } from "../kinds.ts";
import { type Verdict, verdicts } from "../verdict.ts";

const doing: Record<Effect["role"], string> = {
  call: "callers of",
  send: "callers that send it with",
  read: "callers that read it from",
  error: "callers that read it from an error of",
  import: "programs that import its type",
};

const alone: Record<Effect["role"], string> = {
  call: "every caller",
  send: "callers that send it",
  read: "callers that read it",
  error: "callers that read it from an error",
  import: "programs that import its type",
};

/** The number of names to list; the rest are counted. */
const maximumNames = 3;

/** A list of names: at most three, and the number of others. */
export function namesInWords(names: readonly string[]): string {
  const rest = names.length - maximumNames;
  // Counting a single rest would be longer than its name.
  if (rest <= 1) return names.join(", ");
  return `${names.slice(0, maximumNames).join(", ")} and ${rest} more`;
}

/** Whom an effect concerns, in words: `callers that read it from models.create`. */
export function whom(kind: Kind, { role, operations }: Effect): string {
  const names = namesInWords(operations);
  if (role === "send" && kindsOfOmission.has(kind))
    return ["callers that leave it out of", names || "a request"].join(" ");
  return operations.length === 0 ? alone[role] : `${doing[role]} ${names}`;
}

const verbs: Record<Verdict, string> = {
  breaking: "Breaks",
  warning: "May affect",
  additive: "Does not break",
  neutral: "Does not break",
};

/** The effects of a change by role and audience, worst first; empty if it is neutral. */
export function consequences({ kind, verdict, effects }: Change): string[] {
  if (verdict === "neutral") return [];
  return effects
    .filter((effect) => effect.verdict !== "neutral")
    .toSorted((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict))
    .map((effect) => `${verbs[effect.verdict]} ${whom(kind, effect)} (${effect.audience}): ${effect.why}`);
}

/** Why a change was accepted, if it was. */
export function acceptance({ accepted }: Change): string[] {
  return accepted === undefined ? [] : [`Accepted: ${accepted.reason} (${accepted.file})`];
}

/** The broken lines of consumers: `Breaks src/train.ts:9 (uses.json)`. */
export function broken({ broken: uses }: LocatedChange): string[] {
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
