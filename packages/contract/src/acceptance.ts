import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { conflictIn, DocumentError } from "@trainyard/document/files";
import type { Change } from "./change.ts";
import { Failure } from "./failure.ts";
import { git } from "./git.ts";
import type { ServiceReport } from "./report/model.ts";
import type { VersionVerdict } from "./version.ts";

/** A change that a reviewer accepted, and why, as written in a changeset. */
export interface Acceptance {
  /** The changeset, relative to the root. */
  readonly file: string;
  /** The location of the change as in reports: `Model.name`, or `training Model.name` for one service only. */
  readonly location: string;
  /** The kind of the change. A line without it accepts nothing. */
  readonly kind?: string;
  /** The values of the change, such as `0 → 1`. */
  readonly values?: string;
  readonly reason: string;
  /** Whether the base of the branch has it, too. */
  readonly isMerged?: boolean;
}

/** What an acceptance must name: a {@link Change}, or a version that the changes do not require. */
type Acceptable = Pick<Change, "service" | "place" | "values"> & { readonly kind: string };

const form = /^Accepted: `(?<location>[^`]+)`(?: (?<kind>[a-z-]+)(?: `(?<values>[^`]+)`)?)?: (?<reason>\S+ \S.*)$/;

/**
 * All acceptances in pending changesets. Each is a line of its own, as {@link acceptanceOf} prints it.
 *
 * @param base the commit where the branch left, which tells its own lines from those that were merged
 * @throws {@link Failure} if a line has no location or no reason, and `DocumentError` if a merge left a conflict.
 */
export function readAcceptances(root: string, base?: string): Acceptance[] {
  const folder = join(root, ".changeset");
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md")
    : [];
  return names.toSorted().flatMap((name) => {
    const file = `.changeset/${name}`;
    const text = readFileSync(join(root, file), "utf8");
    const conflict = conflictIn(text);
    if (conflict !== undefined) throw new DocumentError([{ file, ...conflict }]);
    const lines = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.startsWith("Accepted:"));
    const merged = base === undefined || lines.length === 0 ? "" : (git(root, "show", `${base}:./${file}`) ?? "");
    return lines.map((line): Acceptance => {
      const said = form.exec(line)?.groups as Pick<Acceptance, "location" | "kind" | "values" | "reason"> | undefined;
      if (said !== undefined) return { file, ...said, isMerged: merged.includes(line) };
      const example = acceptanceOf({ service: "", place: "Model.name", kind: "property-optional" });
      throw new Failure(`${file}: "${line}" has no location or no reason. Write, for example: ${example}`);
    });
  });
}

/** The line of a changeset that accepts a change. */
export function acceptanceOf({ place, kind, values }: Acceptable): string {
  return `Accepted: \`${place}\` ${kind}${values === undefined ? "" : ` \`${values}\``}: Why it breaks nobody.`;
}

/** A version that differs from the one that the changes require, for an acceptance. */
export function versionChange(service: string, { needed, revision }: VersionVerdict): Acceptable {
  return { service, place: "info.version", kind: "version", values: `${needed} → ${revision}` };
}

function speaksOf({ location }: Acceptance, { service, place }: Acceptable): boolean {
  return location === place || location === `${service} ${place}`;
}

/** Whether an acceptance names this change: the location alone would cover later changes that nobody reviewed. */
export function fits(acceptance: Acceptance, change: Acceptable): boolean {
  return speaksOf(acceptance, change) && acceptance.kind === change.kind && acceptance.values === change.values;
}

/** The changes, each with its acceptance if there is one. */
export function accept<One extends Change>(changes: readonly One[], acceptances: readonly Acceptance[]): One[] {
  return changes.map((change) => {
    const accepted = acceptances.find((one) => fits(one, change));
    return accepted === undefined || change.verdict === "neutral" ? change : { ...change, accepted };
  });
}

type Reported = Pick<ServiceReport, "service" | "version" | "sinceRelease" | "refused"> & {
  readonly changes: readonly Change[];
};

/**
 * What to write to accept the changes since the last release that raise the version, and those that are refused, line by line;
 * empty if there are none.
 * An addition is no correction of the document, so it has no line.
 */
export function linesToAccept({ sinceRelease, refused = [] }: Reported): string[] {
  const open = [...(sinceRelease?.changes ?? []), ...refused].filter(
    ({ verdict, accepted, values }) =>
      accepted === undefined && (verdict === "breaking" || (verdict === "additive" && values?.includes(" → "))),
  );
  if (open.length === 0) return [];
  const heading = "To accept a change after a review, put its line into a changeset, with the reason:";
  return [...new Set([heading, ...open.map(acceptanceOf)])];
}

/**
 * Acceptances that fit no change of these services, each as a sentence, with the lines that would fit. Before the first release
 * those that were merged fitted a change of an earlier branch.
 */
export function idleAcceptances(services: readonly Reported[], acceptances: readonly Acceptance[]): string[] {
  const all = services.flatMap(({ service, changes, version, sinceRelease }): Acceptable[] => [
    ...(sinceRelease?.changes ?? changes).filter(({ verdict }) => verdict !== "neutral"),
    ...(version === undefined || version.needed === version.revision ? [] : [versionChange(service, version)]),
  ]);
  const open = all.filter((change) => !acceptances.some((one) => fits(one, change)));
  const isReleased = services.some(({ sinceRelease }) => sinceRelease !== undefined);
  return acceptances.flatMap((one) => {
    if ((one.isMerged && !isReleased) || all.some((change) => fits(one, change))) return [];
    const { file, location, kind = "", values } = one;
    const said = `${file} accepts \`${location}\` ${values === undefined ? kind : `${kind} \`${values}\``}`.trim();
    const lines = new Set(open.filter((change) => speaksOf(one, change)).map(acceptanceOf));
    if (lines.size === 0) return `${said}, and no such change exists. Remove the line, or correct the location.`;
    return `${said}, and the change is another one. Review it, and write instead:\n    ${[...lines].join("\n    ")}`;
  });
}
