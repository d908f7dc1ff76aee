import { type Change, verdictFor } from "./change.ts";
import { capital } from "./json.ts";
import { type FailOn, type Verdict, failOn, worst } from "./verdict.ts";

/** The required version of a document, and whether it has it. */
export interface VersionVerdict {
  /** The last released version; undefined before the first release. */
  readonly released?: string;
  readonly revision: string;
  /** The version that the changes since the last release require. */
  readonly needed: string;
  readonly right: boolean;
  /** Why the version is wrong, with the cure, as a sentence. */
  readonly fault?: string;
}

/** `info.version` of an older document, such as the last release, and the changes since. */
export interface Since {
  readonly version: string;
  readonly changes: readonly Change[];
}

/** The version of every document until its first release. */
export const firstVersion = "1.0.0";

type Numbers = readonly [major: number, minor: number, patch: number];

function numbers(version: string): Numbers | null {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version);
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/**
 * The version after changes of this verdict. Breaking changes require the next major version, additive ones the next minor
 * one, others none: changing a fact from `proposed` to `interface` remains an edit of one word. Below 1.0.0 breaking
 * changes require a minor version, and additive ones a patch.
 */
function next([major, minor, patch]: Numbers, verdict: Verdict): Numbers {
  if (verdict === "neutral" || verdict === "warning") return [major, minor, patch];
  const step = (verdict === "breaking" ? 0 : 1) + (major === 0 ? 1 : 0);
  return step === 0 ? [major + 1, 0, 0] : step === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/** The verdict of the unaccepted changes for these audiences. That on the wire determines the version of a document. */
function openVerdict(changes: readonly Change[], mode: FailOn = "wire"): Verdict {
  const open = changes.filter(({ accepted }) => accepted === undefined);
  return worst(open.flatMap((change) => failOn[mode].map((audience) => verdictFor(change, audience))));
}

/**
 * Checks `info.version` of a document against the changes on the wire since its last release. It goes up with the changes,
 * and down if they are reverted; before the first release it is {@link firstVersion}.
 *
 * @param since undefined before the first release
 */
export function judgeVersion(revision: string, since: Since | undefined): VersionVerdict {
  const last = since?.version ?? firstVersion;
  const before = numbers(last);
  const released = since === undefined ? {} : { released: last };
  if (before === null || numbers(revision) === null) {
    const wrong = before === null ? last : revision;
    const fault = `The version "${wrong}" is not a semantic version. Write three numbers, such as 1.0.0.`;
    return { ...released, revision, needed: last, right: false, fault };
  }
  if (since === undefined) return judge(revision, last, "Nothing was released yet");
  const verdict = openVerdict(since.changes);
  const needed = next(before, verdict);
  return judge(revision, needed.join("."), reasonFor(since, verdict), released);
}

/**
 * Checks `info.version` of anybody's document against the changes on the wire since an older one. It may be higher than they
 * require. A version that is not semantic announces nothing that breaks.
 */
export function judgeAnnouncement(revision: string, since: Since, mode: FailOn = "wire"): VersionVerdict {
  const [before, now] = [numbers(since.version), numbers(revision)];
  const verdict = openVerdict(since.changes, mode);
  if (before === null || now === null) {
    const fault = `${capital(subjects[mode])} are breaking, and a version such as ${now === null ? revision : since.version} cannot say so. Keep what breaks, or write versions with three numbers.`;
    return { revision, needed: revision, right: verdict !== "breaking", ...(verdict === "breaking" && { fault }) };
  }
  const needed = next(before, verdict);
  const at = needed.findIndex((number, index) => number !== now[index]);
  if (at < 0 || Number(now[at]) > Number(needed[at])) return { revision, needed: needed.join("."), right: true };
  return judge(revision, needed.join("."), reasonFor(since, verdict, mode), {}, "Set it.");
}

const subjects: Readonly<Record<FailOn, string>> = {
  wire: "the changes on the wire",
  source: "the changes on the wire and for compiled clients",
};

function reasonFor({ version }: Since, verdict: Verdict, mode: FailOn = "wire"): string {
  const ask = verdict === "breaking" || verdict === "additive" ? `are ${verdict}` : "ask for no other version";
  return `${capital(subjects[mode])} since ${version} ${ask}`;
}

function judge(
  revision: string,
  needed: string,
  reason: string,
  released: { readonly released?: string } = {},
  cure = "Set it, or run: npx -y pnpm@12 contract change",
): VersionVerdict {
  const fault = `${reason}, so \`info.version\` has to be ${needed}, and it is ${revision}. ${cure}`;
  return { ...released, revision, needed, right: revision === needed, ...(revision !== needed && { fault }) };
}
