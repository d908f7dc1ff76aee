import { markdownTable } from "@trainyard/host/table";
import { type Kind, kindNames, kinds } from "./calls.ts";
import { applies, faults } from "./faults.ts";
import { show } from "./outcome.ts";
import type { Cell } from "./run.ts";

/** The results of one client. */
export interface Column {
  readonly name: string;
  readonly version: string;
  readonly cells: readonly Cell[];
  /** The number of unhandled rejections. */
  readonly unhandled: number;
}

/** The tables in Markdown, one for each kind of call, with a column per client. */
export function render(columns: readonly Column[], node: string): string {
  return [
    "<!-- Written by packages/proofs/src/faults/cli.ts. Do not edit. -->",
    "",
    "# Fault table",
    "",
    "What a call comes to when its service fails, with each client as it comes: its own retries, a limit of 20 s for one",
    "attempt where it takes one, and nothing around it. A cell has how often the request was sent, and what the caller gets:",
    "`value`, the answer that was due; `wrong value`, another one or a part of it, as if nothing had failed; or an error.",
    "`?`: the error says that nobody knows what the service did. `wait`: the error tells how long the service asked to wait.",
    "`sent too soon`: sooner than it asked. `words lost`: the error does not repeat what the service said. `99 more`: so many",
    "pieces came after the caller had stopped the call. `hangs`: nothing of the client ended it within 10 minutes.",
    "",
    "openapi-fetch and ky have no methods for streams, lists and jobs: there the plainest loop of a user was taken, and for",
    "lists and jobs with openai as well. openapi-fetch gives errors instead of throwing them: `error body`.",
    "",
    ...kindNames.flatMap((kind) => [`## ${titleOf(kind)}`, "", tableOf(kind, columns), ""]),
    "## Versions",
    "",
    markdownTable([
      ["client", "version", "rejections that nobody could handle"],
      ...columns.map(({ name, version, unhandled }) => [name, version, String(unhandled)]),
      ["Node", node, ""],
    ]),
    "",
  ].join("\n");
}

function titleOf(kind: Kind): string {
  const text = kinds[kind];
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

function tableOf(kind: Kind, columns: readonly Column[]): string {
  const rows = faults
    .filter((fault) => applies(fault, kind))
    .map((fault) => [
      fault.title,
      ...columns.map(({ cells }) => {
        const cell = cells.find((one) => one.fault === fault && one.kind === kind);
        return cell ? show(cell.outcome) : "";
      }),
    ]);
  return markdownTable([["fault", ...columns.map(({ name }) => name)], ...rows]);
}
