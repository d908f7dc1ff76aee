import type { Operation } from "@trainyard/document";
import type { Outcome } from "./probes.ts";
import type { Sent } from "./requests.ts";

/** A difference between the responses of mock and local server to the same request. */
export interface Finding {
  readonly operation: Operation;
  readonly sent: Sent;
  /** The part that differs: `status`, `code`, `places`, or a header. */
  readonly field: string;
  readonly mock: Outcome;
  readonly server: Outcome;
}

/** A known difference between mock and local server, with its reason. */
export interface Difference {
  readonly name: string;
  /** Which of the two follows the contract. */
  readonly why: string;
  applies(finding: Finding): boolean;
}

/** All known differences. One that no longer occurs fails the test, and must be deleted here. */
export const differences: readonly Difference[] = [];
