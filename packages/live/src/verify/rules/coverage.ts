import { rulesIn } from "@trainyard/document";
import { ruleIds } from "../../generated/rules.ts";
import type { Run } from "../run.ts";
import { rules } from "./all.ts";
import type { Row } from "./rule.ts";

/** A rule that a run did not check. */
export interface Unchecked {
  readonly service: string;
  readonly id: string;
  readonly why: string;
}

/** Which rules a run checked, of those that the documents have and of those that it has checks for. */
export interface Coverage {
  readonly checked: number;
  readonly unchecked: readonly Unchecked[];
}

const known = new Map<string, readonly string[]>(Object.entries(ruleIds));
const rows = new Map<string, Row>(Object.entries(rules));

export function coverageOf(run: Run): Coverage {
  const all = run.services.flatMap(({ name: service, document }) => {
    const own = new Set(rulesIn(document.root).map(({ id }) => id));
    const expected = known.get(service) ?? [...rows.keys()];
    const missing = expected.filter((id) => !own.has(id) && !("unchecked" in (rows.get(id) ?? {})));
    return [
      ...[...own].filter((id) => id !== "").map((id) => ({ service, id, why: reasonOf(run, service, id) })),
      ...missing.map((id) => ({ service, id, why: "the document has no such rule" })),
    ];
  });
  const unchecked = all.flatMap(({ why, ...rule }) => (why === undefined ? [] : { ...rule, why }));
  return { checked: all.length - unchecked.length, unchecked };
}

/** Why a rule of a document was not checked; undefined if it was. */
function reasonOf({ state, options }: Run, service: string, id: string): string | undefined {
  const row = rows.get(id);
  if (row === undefined) return "there is no check for it";
  if ("unchecked" in row) return row.unchecked;
  if (!("tried" in row)) return state.checked.has(`${service} ${id}`) ? undefined : "no response had its value";
  if ([...state.checked].some((one) => one.startsWith(`${service} ${row.tried}`))) return undefined;
  return row.tried.startsWith("flow ") && options.write === undefined ? "needs --write" : "the run did not try it";
}
