import { groupBy, httpMethods } from "@trainyard/document";
import { type Change, type Effect, verdictFor } from "../change.ts";
import type { FileLocation } from "@trainyard/document/files";
import type { CheckReport, LocatedChange, ServiceReport } from "./model.ts";
import { type Kind, kindsOfOmission } from "../kinds.ts";
import type { Group } from "./group.ts";
import { type Audience, type Verdict, verdicts } from "../verdict.ts";
import type { VersionVerdict } from "../version.ts";

const doing: Record<Effect["role"], string> = {
  call: "callers of",
  send: "callers that send it with",
  read: "callers that read it from",
  error: "callers that read it from an error of",
  import: "programs that import its type",
};

/** A list of names: at most so many, and the number of others. */
export function namesInWords(names: readonly string[], most: number): string {
  const rest = names.length - most;
  // Counting a single rest would be longer than its name.
  if (rest <= 1) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${rest} more`;
}

/** Whom an effect concerns, in words: `callers that read it from models.create`. */
function whom(kind: Kind, { role, operations }: Effect, most: number): string {
  const names = namesInWords(operations, most);
  if (role === "send" && kindsOfOmission.has(kind))
    return ["callers that leave it out of", names || "a request"].join(" ");
  if (operations.length > 0) return `${doing[role]} ${names}`;
  return role === "call" ? "every caller" : doing[role].replace(/ (?:with|from|of)$/, "");
}

const verbs: Partial<Record<Verdict, string>> = { breaking: "Breaks", warning: "May affect" };

/** The effects of a change by role and audience, worst first; empty if it is neutral. */
function consequences({ kind, verdict, effects }: Change, most: number): string[] {
  if (verdict === "neutral") return [];
  return effects
    .filter((effect) => effect.verdict !== "neutral")
    .toSorted((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict))
    .map(
      (effect) =>
        `${verbs[effect.verdict] ?? "Harmless for"} ${whom(kind, effect, most)} (${effect.audience}): ${effect.why}`,
    );
}

/**
 * What is to say about a change: why it was accepted, whom it affects, and the lines of consumers that it breaks.
 *
 * @param most how many operations and lines to name
 */
export function details(change: LocatedChange, most: number): string[] {
  const { accepted, departures = [], broken } = change;
  return [
    ...(accepted === undefined ? [] : [`Accepted: ${accepted.reason} (${accepted.file})`]),
    ...departures.flatMap(({ announced }) => (announced === undefined ? [] : [`Announced ${announced}.`])),
    ...consequences(change, most),
    ...broken.map(({ uses, places }) => `Breaks ${namesInWords(places, most)} (${uses})`),
  ];
}

/** A schema or an operation in a pointer. */
const owner = new RegExp(`^/(?:components/schemas/[^/]+|paths/[^/]+/(?:${httpMethods.join("|")}|[A-Z-]+)(?![^/]))`);

/** The changes of a group beside its first one: ` … and the same in 499 more schemas`. */
export function othersInWords({ others, verdict, revision }: Group): string {
  if (others.length === 0) return "";
  const all = [revision, ...others.map((change) => change.revision)];
  const owners = new Set(all.flatMap((pointer) => owner.exec(pointer)?.[0] ?? []));
  const nouns = new Set([...owners].map((one) => (one.startsWith("/paths/") ? "operation" : "schema")));
  const isEach = owners.size === all.length && nouns.size === 1;
  const [same, noun] =
    verdict === "neutral" ? ["", "neutral change"] : ["the same in ", isEach ? [...nouns][0] : "place"];
  return ` … and ${same}${others.length} more ${noun}${others.length === 1 ? "" : "s"}`;
}

/** A reason why the check fails. */
export interface Refusal {
  readonly title: string;
  readonly sentence: string;
  readonly at: FileLocation;
}

const typesCure =
  "The rules call this change harmless, but code no longer compiles. Check the rule in packages/contract and the generated types.";

/** Why a service is refused: its faults, its version, its types, what leaves too early. Grouped, the same in many places is one. */
export function refusals(report: ServiceReport, isGrouped = false): Refusal[] {
  const { service, faults = [], version, types, sinceRelease, refused = [] } = report;
  const at = { file: `openapi/${service}/openapi.yaml` };
  const all = [
    ...faults.map(({ message, cure, ...place }) => ({
      title: "Broken document",
      sentence: `${message} ${cure}`,
      at: place,
    })),
    ...(version?.right === false ? [{ title: "Wrong version", sentence: version.fault ?? "", at: version.at }] : []),
    ...refused.slice(0, 1).map(({ place, what, at }) => {
      const others = refused.length === 1 ? "" : ` … and ${refused.length - 1} more`;
      const cure = "Keep what breaks callers, or accept it with a line in a changeset.";
      return { title: "Breaks callers", sentence: `Nobody accepted this: ${place}: ${what}${others} ${cure}`, at };
    }),
    ...(types?.faults ?? []).map((fault) => ({ title: "Types disagree", sentence: `${fault} ${typesCure}`, at })),
    ...(sinceRelease?.leaving ?? []).map((sentence) => ({ title: "Leaves too early", sentence, at })),
  ];
  if (!isGrouped) return all;
  const groups = groupBy(all, ({ sentence }) => sentence.replace(/^.*(?= leaves )/, ""));
  return [...groups.values()].map(([first, ...others]) => {
    if (others.length === 0) return first;
    return { ...first, sentence: `${first.sentence} … and the same holds for ${others.length} more` };
  });
}

/**
 * Whether a document cannot be read or has the wrong version, something breaks that nobody accepted or is removed too early, an
 * acceptance fits no change, or code no longer compiles although the rules call every change harmless.
 */
export function isRefused({ services, idle }: CheckReport): boolean {
  return idle.length > 0 || services.some((report) => refusals(report).length > 0);
}

/** Who breaks, and what the exit code means. */
export function closing(report: CheckReport): string {
  const open = report.services.flatMap(({ changes, version }) =>
    changes.flatMap((change) => (change.accepted === undefined ? [{ change, version }] : [])),
  );
  const breaking = (audience: Audience) => open.filter(({ change }) => verdictFor(change, audience) === "breaking");
  const [wire, source] = [breaking("wire"), breaking("source")];
  const who =
    wire.length > 0
      ? "Programs that exchange requests and responses break."
      : source.length > 0
        ? "Code that is compiled with a generated client breaks; requests and responses do not."
        : report.services.some(({ changes }) => changes.some(({ verdict }) => verdict === "breaking"))
          ? "What breaks was accepted."
          : "Nothing breaks.";
  if (isRefused(report)) return `${who} Exit code 1: see each ✗ above.`;
  if (wire.length + source.length === 0) return `${who} Exit code 0.`;
  if (wire.length === 0 && report.failOn !== "source") return `${who} Exit code 0: only --fail-on source refuses it.`;
  const isEarly = open.some(({ version }) => version !== undefined && version.released === undefined);
  return `${who} Exit code 0: ${isEarly ? "it is not judged before its first release" : "the version announces it"}.`;
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

/** Whether there is nothing to report about a service. */
export function isSilent(report: ServiceReport): boolean {
  return report.changes.length + refusals(report).length === 0;
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
