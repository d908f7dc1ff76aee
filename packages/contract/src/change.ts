import type { Kind } from "./kinds.ts";
import type { Role, Verdict } from "./verdict.ts";

/** What a change does in one role, and to which operations. */
export interface Effect {
  readonly role: Role;
  readonly verdict: Verdict;
  readonly why: string;
  /** Names as people call them: `models.create`. Empty where no operation is concerned. */
  readonly operations: readonly string[];
}

/** One change of one service's document. */
export interface Change {
  readonly service: string;
  readonly kind: Kind;
  readonly verdict: Verdict;
  /** Where, in words: `models.create › request › name`. */
  readonly place: string;
  /** What happened there, as a sentence. */
  readonly what: string;
  readonly effects: readonly Effect[];
  /** Pointer into the bundle of before; where something was added, to the place where it would have stood. */
  readonly base: string;
  /** Pointer into the bundle of now, likewise. */
  readonly revision: string;
  /** The node of the older bundle that a program has to touch to be concerned. */
  readonly subject: string;
}
