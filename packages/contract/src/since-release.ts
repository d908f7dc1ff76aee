import { type Acceptance, accept } from "./acceptance.ts";
import type { Change } from "./change.ts";
import { compareWhole } from "./compare/service.ts";
import { missing } from "./deprecation.ts";
import type { Document } from "./document.ts";
import { type Release, readReleased } from "./released.ts";
import { type Verdict, worst } from "./verdict.ts";

/** The changes since the last release of a service. */
export interface SinceRelease {
  /** `info.version` of the release. */
  readonly version: string;
  readonly changes: readonly Change[];
  /** The worst verdict of the unaccepted changes. */
  readonly verdict: Verdict;
  /** The elements that are removed too early, each as a sentence. */
  readonly leaving: readonly string[];
}

/** What a comparison depends on, beside the documents. */
export interface Standing {
  readonly acceptances: readonly Acceptance[];
  /** Newest first. */
  readonly releases: readonly Release[];
  /** As `2026-11-04`. */
  readonly today: string;
}

/** Compares a service with its last release; undefined before the first release. A removed service has no document. */
export function compareSinceRelease(
  root: string,
  service: string,
  revision: Document | undefined,
  { acceptances, releases, today }: Standing,
): SinceRelease | undefined {
  const released = readReleased(root, service);
  if (released === undefined) return undefined;
  const changes = accept(compareWhole(service, released, revision), acceptances);
  const open = changes.filter(({ accepted }) => accepted === undefined);
  return {
    version: released.version,
    changes,
    verdict: worst(open.map(({ verdict }) => verdict)),
    leaving: open.flatMap((change) => missing(change, released, releases, today) ?? []),
  };
}
