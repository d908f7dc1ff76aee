import { type Verdict, worst } from "./verdict.ts";
import type { Change } from "./change.ts";

/** What the version of a document has to be, and whether it is. */
export interface VersionVerdict {
  readonly base: string;
  readonly revision: string;
  /** The lowest version that will do. */
  readonly needed: string;
  readonly enough: boolean;
  /** Why it is not enough, with the cure, as a sentence. */
  readonly fault?: string;
}

type Numbers = readonly [major: number, minor: number, patch: number];

function numbers(version: string): Numbers | null {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version);
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

function below(a: Numbers, b: Numbers): boolean {
  const index = [0, 1, 2].find((at) => a[at] !== b[at]);
  return index !== undefined && (a[index] ?? 0) < (b[index] ?? 0);
}

/**
 * The lowest version after changes of this verdict. Breaking asks for the next major version, additive for the next minor
 * one, neutral for none: turning a fact from `proposed` to `interface` stays an edit of one word. Below 1.0.0 breaking
 * asks for a minor version and additive for a patch.
 */
function next([major, minor, patch]: Numbers, verdict: Verdict): Numbers {
  if (verdict === "neutral") return [major, minor, patch];
  const step = (verdict === "breaking" ? 0 : 1) + (major === 0 ? 1 : 0);
  return step === 0 ? [major + 1, 0, 0] : step === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/** Judges `info.version` of a document that has changed. A version that is higher than needed is enough. */
export function judgeVersion(base: string, revision: string, changes: readonly Change[]): VersionVerdict {
  const before = numbers(base);
  const now = numbers(revision);
  if (before === null || now === null) {
    const wrong = now === null ? revision : base;
    const fault = `The version "${wrong}" is no semantic version. Write three numbers, such as 1.0.0.`;
    return { base, revision, needed: base, enough: false, fault };
  }
  const verdict = worst(changes.map((change) => change.verdict));
  const needed = next(before, verdict);
  const lowest = needed.join(".");
  if (!below(now, needed)) return { base, revision, needed: lowest, enough: true };
  const reason = verdict === "neutral" ? "A version never goes back" : `The changes are ${verdict}`;
  const fault = `${reason}: \`info.version\` is ${revision} and has to be at least ${lowest}. Raise it, or take the changes back.`;
  return { base, revision, needed: lowest, enough: false, fault };
}
