import type { RolloutLine } from "@trainyard/local";
import { isObject } from "@trainyard/core/validation";
import { number, text } from "../store/row.ts";
import { listOf } from "./attempt-facts.ts";
import { findRun, type ConsoleContext } from "./context.ts";
import { middleOf } from "./groups.ts";
import { rawGroup } from "./raw-group.ts";
import { conditionsOf, type RolloutFilter } from "./rollout-filter.ts";
import { rolloutOf } from "./rollouts.ts";

/** How many attempts, and how many characters, are read at a time, which limits the memory of an export. */
const [mostRows, mostText] = [256, 1_000_000];

/** Some lines of an export. */
export interface ExportPiece {
  readonly lines: string;
  /** The cursor for the next piece; undefined at the end. */
  readonly next?: number;
  /** The name of the run. */
  readonly name: string;
}

/**
 * A piece of the attempts that match a filter, one per line, in the order in which they were logged. In this order, each log
 * is read only once.
 */
export function exportRollouts(
  context: ConsoleContext,
  { after = 0, ...query }: RolloutFilter & { after?: number },
): ExportPiece | "not-found" {
  const run = findRun(context, query.id);
  if (run === undefined) return "not-found";
  const filter = conditionsOf(context, run, query);
  filter.add(`rollouts.key > ${filter.value(after)}`);
  const rows = context.index.once(
    // `not indexed` reads the rows in the order of their keys. With an index, each piece would have to sort all matching rows.
    `select found.*, groups.id as group_id, groups.task as task, groups.name as name from
       (select * from rollouts not indexed where ${filter.where} order by rollouts.key limit ${mostRows}) found
       join groups on groups.key = found.grp order by found.key`,
    filter.params,
  );
  const middle = middleOf(context, run);
  let lines = "";
  let read = 0;
  for (const row of rows) {
    const rollout = rolloutOf(row, middle);
    const came = attemptAt(rawGroup(context, run, rollout.group), rollout.attempt.place);
    const line: RolloutLine = { ...rollout, ...came };
    lines += `${JSON.stringify(line)}\n`;
    read++;
    if (lines.length > mostText) break;
  }
  const last = rows[read - 1];
  const isLast = read === rows.length && rows.length < mostRows;
  return { lines, name: nameOf(context, run.id), ...(last && !isLast && { next: number(last, "key") }) };
}

/** The name of an existing run. */
export function nameOf({ data }: ConsoleContext, id: string): string {
  const row = data.get("select name from models where id = :id", { id });
  return row ? text(row, "name") : "";
}

/** An attempt as it was sent. Attempts with a trajectory come before the exceptions. */
function attemptAt(group: Record<string, unknown>, place: number): Pick<RolloutLine, "trajectory" | "exception"> {
  const trajectories = listOf(group["trajectories"]);
  const objectOf = (value: unknown) => (isObject(value) ? value : {});
  return place < trajectories.length
    ? { trajectory: objectOf(trajectories[place]), exception: null }
    : { trajectory: null, exception: objectOf(listOf(group["exceptions"])[place - trajectories.length]) };
}
