import type { Operation } from "@trainyard/document";
import type { Told } from "./probes.ts";
import type { Sent } from "./requests.ts";

/** One thing that mock and local server tell differently of a request. */
export interface Finding {
  readonly operation: Operation;
  readonly sent: Sent;
  /** What differs: `status`, `code`, `places`, or a header. */
  readonly field: string;
  readonly mock: Told;
  readonly server: Told;
}

/** A known difference between mock and local server, with the reason why it stands. */
export interface Difference {
  readonly name: string;
  /** Which of the two does what the contract says. */
  readonly why: string;
  applies(finding: Finding): boolean;
}

/** All differences. One that is no more fails the test: then it is deleted here. */
export const differences: readonly Difference[] = [];
