import type { Change, Effect } from "../change.ts";
import type { CheckReport, FileLocation, LocatedChange, ServiceReport } from "./model.ts";
import { type Kind, kindsOfOmission } from "../kinds.ts";
import { type Verdict, verdicts } from "../verdict.ts";
import type { VersionVerdict } from "../version.ts";

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
function namesInWords(names: readonly string[]): string {
  const rest = names.length - maximumNames;
  // Counting a single rest would be longer than its name.
  if (rest <= 1) return names.join(", ");
  return `${names.slice(0, maximumNames).join(", ")} and ${rest} more`;
}

/** Whom an effect concerns, in words: `callers that read it from models.create`. */
function whom(kind: Kind, { role, operations }: Effect): string {
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
function consequences({ kind, verdict, effects }: Change): string[] {
  if (verdict === "neutral") return [];
  return effects
    .filter((effect) => effect.verdict !== "neutral")
    .toSorted((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict))
    .map((effect) => `${verbs[effect.verdict]} ${whom(kind, effect)} (${effect.audience}): ${effect.why}`);
}

/** What is to say about a change: why it was accepted, whom it affects, and the lines of consumers that it breaks. */
export function details(change: LocatedChange): string[] {
  const { accepted, departures = [], broken } = change;
  return [
    ...(accepted === undefined ? [] : [`Accepted: ${accepted.reason} (${accepted.file})`]),
    ...departures.flatMap(({ announced }) => (announced === undefined ? [] : [`Announced ${announced}.`])),
    ...consequences(change),
    ...broken.map(({ uses, places }) => `Breaks ${namesInWords(places)} (${uses})`),
  ];
}

/** A reason why the check fails. */
export interface Refusal {
  readonly title: string;
  readonly sentence: string;
  readonly at: FileLocation;
}

const typesCure =
  "The rules call this change harmless, but code no longer compiles. Check the rule in packages/contract and the generated types.";

/** Why a service is refused: its faults, its types, what leaves too early, its version. */
export function refusals({ service, faults = [], version, types, sinceRelease }: ServiceReport): Refusal[] {
  const at = { file: `openapi/${service}/openapi.yaml` };
  return [
    ...faults.map(({ message, cure, ...place }) => ({
      title: "Broken document",
      sentence: `${message} ${cure}`,
      at: place,
    })),
    ...(types?.faults ?? []).map((fault) => ({ title: "Types disagree", sentence: `${fault} ${typesCure}`, at })),
    ...(sinceRelease?.leaving ?? []).map((sentence) => ({ title: "Leaves too early", sentence, at })),
    ...(version?.right === false ? [{ title: "Wrong version", sentence: version.fault ?? "", at: version.at }] : []),
  ];
}

/** What was compared with: a revision and its commit, or a file. */
export function baseWords({ name, commit }: CheckReport["base"], mark = ""): string {
  return `Compared with ${mark}${name}${mark}${commit === undefined ? "" : ` (${commit.slice(0, 7)})`}`;
}

export function location({ file, line }: FileLocation): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** The message for a correct version. */
export function versionWords({ revision, released }: VersionVerdict): string {
  if (released === undefined) return `\`info.version\` is ${revision} until the first release.`;
  return `\`info.version\` ${revision} is right: ${released} was released last.`;
}

/** The changes of a service in numbers, or that it could not be read. */
export function summary({ faults, changes }: ServiceReport): string {
  return faults === undefined ? tally(changes) : "cannot be read, so it was not compared";
}

/** "2 breaking, 1 additive, 14 neutral changes". */
export function tally(changes: readonly Change[]): string {
  const counts = verdicts.flatMap((verdict) => {
    const count = changes.filter((change) => change.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict}`];
  });
  return counts.length === 0 ? "no changes" : `${counts.join(", ")} change${changes.length === 1 ? "" : "s"}`;
}
