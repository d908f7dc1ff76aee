import type { Acceptance } from "./acceptance.ts";
import type { Kind } from "./kinds.ts";
import { type Audience, type Role, type Verdict, worst } from "./verdict.ts";

/** What a change does in one role to one audience, and to which operations. */
export interface Effect {
  readonly role: Role;
  readonly audience: Audience;
  readonly verdict: Verdict;
  readonly why: string;
  /** Names as people call them: `models.create`. Empty where no operation is concerned. */
  readonly operations: readonly string[];
}

/** One change of one service's document. */
export interface Change {
  readonly service: string;
  readonly kind: Kind;
  /** The worst that it does to anybody. */
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
  /** Who let it through, and why: then it asks for no version. */
  readonly accepted?: Acceptance;
}

/** What a change does to one audience; neutral where it notices nothing. */
export function verdictFor({ effects }: Pick<Change, "effects">, audience: Audience): Verdict {
  return worst(effects.filter((effect) => effect.audience === audience).map(({ verdict }) => verdict));
}
