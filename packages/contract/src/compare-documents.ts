import type { Documents } from "./documents.ts";
import { changeMarkdown } from "./report/markdown.ts";
import { type PlacedChange, type ServiceReport, reportServices } from "./service-report.ts";
import { type Verdict, worst } from "./verdict.ts";

/** A change, and a line of Markdown that tells it whole: what, where, and whom it breaks. */
export interface ToldChange extends PlacedChange {
  /** In one line, without a bullet and without the verdict. */
  readonly markdown: string;
}

/** What became of one service's document. `version` is there unless the service is gone. */
export interface ServiceComparison extends Omit<ServiceReport, "changes" | "types"> {
  /** The worst of its changes that nobody accepted. */
  readonly verdict: Verdict | "unchanged";
  /** Whether it has come or gone as a whole. */
  readonly whole?: "added" | "removed";
  /** Breaking ones first. */
  readonly changes: readonly ToldChange[];
}

/**
 * Compares the bundles of before with those of now: the comparison of `contract check`, without its second witness, the
 * types. Gives every service that either side has, by name. What is found is placed in the files below `root`.
 */
export function compareDocuments(root: string, before: Documents, now: Documents): ServiceComparison[] {
  return reportServices(root, before, now).map((report) => tell(report, before, now));
}

function tell(
  { service, changes, version, sinceRelease }: ServiceReport,
  before: Documents,
  now: Documents,
): ServiceComparison {
  const open = changes.filter(({ accepted }) => accepted === undefined);
  const whole = before.has(service) ? (now.has(service) ? undefined : "removed") : "added";
  return {
    service,
    verdict: changes.length === 0 ? "unchanged" : worst(open.map(({ verdict }) => verdict)),
    ...(whole !== undefined && { whole }),
    ...(version !== undefined && { version }),
    ...(sinceRelease !== undefined && { sinceRelease }),
    changes: changes.map((change) => ({ ...change, markdown: changeMarkdown(change) })),
  };
}
