/** The comparison of the documents, for the other tools of this repository. */
import type { Documents } from "./documents.ts";
import { changeMarkdown } from "./report/markdown.ts";
import type { LocatedChange, ServiceReport } from "./report/model.ts";
import { reportServices } from "./service-report.ts";
import { type Verdict, worst } from "./verdict.ts";

export type { Release } from "@trainyard/document";
export { type Fact, facts } from "./basis/fact.ts";
export { toDocument } from "./document.ts";
export { type Documents, readDocuments } from "./documents.ts";
export { idleAcceptances, linesToAccept, readAcceptances } from "./acceptance.ts";
export { deprecatedIn } from "./deprecation.ts";
export { Failure } from "./failure.ts";
export { git, lookForRevision, mergeBase } from "./git.ts";
export type { Verdict } from "./verdict.ts";
export { goneServices, readReleased, releasedFile } from "./released.ts";
export { readReleases, tableFile } from "@trainyard/codegen/releases";
export type { VersionVerdict } from "./version.ts";

/** A change, and a complete description of it in one line of Markdown: what, where, and whom it breaks. */
export interface DescribedChange extends LocatedChange {
  /** One line, without bullet and verdict. */
  readonly markdown: string;
}

/** The result for one service's document. `version` is undefined if the service was removed. */
export interface ServiceComparison extends Omit<ServiceReport, "changes" | "types"> {
  /** The worst verdict of its unaccepted changes. */
  readonly verdict: Verdict | "unchanged";
  /** Whether the whole service was added or removed. */
  readonly whole?: "added" | "removed";
  /** Breaking ones first. */
  readonly changes: readonly DescribedChange[];
}

/**
 * Compares two sets of bundles, like `contract check` without its compilation of types. Returns every service of either
 * side, by name. Source locations refer to the files below `root`.
 */
export function compareDocuments(root: string, before: Documents, now: Documents): ServiceComparison[] {
  return reportServices(root, before, now).map((report) => describeService(report, before, now));
}

function describeService({ changes, ...rest }: ServiceReport, before: Documents, now: Documents): ServiceComparison {
  const open = changes.filter(({ accepted }) => accepted === undefined);
  const whole = now.has(rest.service) ? (before.has(rest.service) ? undefined : "added") : "removed";
  return {
    ...rest,
    verdict: changes.length === 0 ? "unchanged" : worst(open.map(({ verdict }) => verdict)),
    ...(whole !== undefined && { whole }),
    changes: changes.map((change) => ({ ...change, markdown: changeMarkdown(change) })),
  };
}
