import { type Kind, kinds } from "../../src/kinds.ts";
import { type Verdict, verdicts } from "../../src/verdict.ts";
import { type Draft, tableOf } from "../draft.ts";

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

const roles = /^(\S+) (\S+) (.+?)((?: (?:call|send|read|error|import))+)$/;

/** The cases of a table, of which {@link tableOf} says the form: `service: name | verdict kind place roles`, and the edits. */
export function casesOf(table: string): Case[] {
  return tableOf(table).map(({ of, name, cells, lines }) => {
    const expected = cells.map((cell): Expected => {
      const [, verdict, kind, place = "", named = ""] = roles.exec(cell) ?? [];
      const known = verdicts.find((one) => one === verdict);
      if (known === undefined || kind === undefined || !isKind(kind)) throw new Error(`"${cell}" is no change.`);
      return [known, kind, place, named.trim()];
    });
    return change(name, of, (draft) => lines.forEach((line) => draft.edit(line)), ...expected);
  });
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}
