import type { FileLocation, Problem } from "@trainyard/document/files";
import type { Change } from "../change.ts";
import type { FailOn, Verdict } from "../verdict.ts";
import type { Since, VersionVerdict } from "../version.ts";

/** The result of a comparison. */
export interface CheckReport {
  /** What the newer documents are compared with; it has no commit if it is a file. */
  readonly base: { readonly name: string; readonly commit?: string };
  /** The services of both sides, by name. */
  readonly services: readonly ServiceReport[];
  /** Acceptances that fit no change, each as a sentence. */
  readonly idle: readonly string[];
  /** `wire` if it is left out. */
  readonly failOn?: FailOn;
}

export interface ServiceReport {
  readonly service: string;
  /** Breaking ones first. */
  readonly changes: readonly LocatedChange[];
  /** Undefined if the service was removed. */
  readonly version?: VersionVerdict & { readonly at: FileLocation };
  /** The changes since the last release; undefined before the first. A removed service has them too. */
  readonly sinceRelease?: SinceRelease;
  /** What breaks callers, and no version announces and nobody accepted. */
  readonly refused?: readonly LocatedChange[];
  /** Why it was not compared: the faults of its documents. */
  readonly faults?: readonly Problem[];
  /** The compiler's findings about the changes. Undefined if there is nothing to compare. */
  readonly types?: TypesVerdict;
}

export interface LocatedChange extends Change {
  /** Its current or former location in the hand-written document. */
  readonly at: FileLocation;
  /** Locations in consumers that it breaks. */
  readonly broken: readonly BrokenUse[];
}

/** A broken line of a consumer, and the file that lists it. */
export interface BrokenUse {
  readonly uses: string;
  /** As `file:line`. */
  readonly places: readonly string[];
}

/** The changes since the last release of a service. */
export interface SinceRelease extends Since {
  /** The worst verdict of the unaccepted changes. */
  readonly verdict: Verdict;
  /** The elements that are removed too early, each as a sentence. */
  readonly leaving: readonly string[];
}

/** The compiler's findings about changes of a service that the rules call harmless. */
export interface TypesVerdict {
  /** The number of compiled lines. */
  readonly probes: number;
  /** Code that no longer compiles, each as a sentence. */
  readonly faults: readonly string[];
  /** Why nothing was compiled. */
  readonly skipped?: string;
}
