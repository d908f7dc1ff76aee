import type { Kind } from "../../src/kinds.ts";
import type { Verdict } from "../../src/verdict.ts";
import type { Draft } from "../draft.ts";

/** What a change of a real document has to be called: verdict, kind, place, and the roles that it concerns. */
export type Expected = readonly [verdict: Verdict, kind: Kind, place: string, roles: string];

export interface Case {
  readonly name: string;
  readonly service: string;
  readonly edit: (draft: Draft) => void;
  readonly expected: readonly Expected[];
}

export function change(name: string, service: string, edit: (draft: Draft) => void, ...expected: Expected[]): Case {
  return { name, service, edit, expected };
}
