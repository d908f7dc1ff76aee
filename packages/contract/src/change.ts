import { type Json } from "@trainyard/document";
import type { Acceptance } from "./acceptance.ts";
import type { Departure } from "./deprecation.ts";
import type { Kind } from "./kinds.ts";
import { type Audience, type Role, type Verdict, worst } from "./verdict.ts";

/** The effect of a change in one role on one audience, and the operations concerned. */
export interface Effect {
  readonly role: Role;
  readonly audience: Audience;
  readonly verdict: Verdict;
  readonly why: string;
  /** Names such as `models.create`. Empty if no operation is concerned. */
  readonly operations: readonly string[];
}

/** One change of one service's document. */
export interface Change {
  readonly service: string;
  readonly kind: Kind;
  /** The worst verdict of its effects. */
  readonly verdict: Verdict;
  /** The location in words: `models.create › request › name`. */
  readonly place: string;
  /** What changed there, as a sentence. */
  readonly what: string;
  /** The values in that sentence, such as `0 → 1`, which tell the change from others of its kind at its place. */
  readonly values?: string;
  /** The values that are no longer valid at its location. */
  readonly gone?: readonly Json[];
  readonly effects: readonly Effect[];
  /** The pointer into the older bundle; for an addition, to its location in the newer one. */
  readonly base: string;
  /** The pointer into the newer bundle, likewise. */
  readonly revision: string;
  /** The node of the older bundle that a program must use to be affected. */
  readonly subject: string;
  /** How what it removes leaves. */
  readonly departures?: readonly Departure[] | undefined;
  /** Who accepted it, and why. An accepted change requires no new version. */
  readonly accepted?: Acceptance;
}

/** The verdict of a change for one audience; neutral if it is not affected. */
export function verdictFor({ effects }: Pick<Change, "effects">, audience: Audience): Verdict {
  return worst(effects.filter((effect) => effect.audience === audience).map(({ verdict }) => verdict));
}
