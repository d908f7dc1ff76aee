import type { RolloutLine } from "@trainyard/local";
import type { TrajectoryGroup } from "@trainyard/training";
import type { Context } from "../store/commands/context.ts";
import { number } from "../store/row.ts";
import { hasRun } from "./context.ts";
import { nameOf } from "./curve.ts";
import { attemptsOfGroups } from "./groups.ts";
import { rawGroup } from "./raw-group.ts";
import { conditionsOf, type RolloutFilter } from "./rollout-filter.ts";
import { rolloutColumns, rolloutOf } from "./rollouts.ts";
import { middleOf } from "./steps.ts";

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
  { database }: Context,
  { after = 0, ...query }: RolloutFilter & { after?: number },
): ExportPiece | "not-found" {
  const { id } = query;
  if (!hasRun(database, id)) return "not-found";
  const middle = middleOf(database, id);
  const filter = conditionsOf(query, middle);
  filter.add(`rollouts.key > ${filter.value(after)}`);
  filter.add(`groups.key >= (select coalesce(max(key), 0) from groups where key <= ${filter.value(after)})`);
  const rows = database.once(
    // `not indexed` reads the groups in the order of their keys. With an index, each piece would have to sort all of them.
    `select rollouts.key as key, ${rolloutColumns} from ${attemptsOfGroups.replace("groups", "groups not indexed")}
     where ${filter.where} order by groups.key, rollouts.key limit ${mostRows}`,
    filter.params,
  );
  let lines = "";
  let read = 0;
  for (const row of rows) {
    const rollout = rolloutOf(row, middle);
    const came = attemptAt(rawGroup(database, id, rollout.group), rollout.attempt.place);
    const line: RolloutLine = { ...rollout, ...came };
    lines += `${JSON.stringify(line)}\n`;
    read++;
    if (lines.length > mostText) break;
  }
  const last = rows[read - 1];
  const isLast = read === rows.length && rows.length < mostRows;
  return { lines, name: nameOf(database, id), ...(last && !isLast && { next: number(last, "key") }) };
}

/** An attempt as it was sent. Attempts with a trajectory come before the exceptions. */
function attemptAt(
  { trajectories, exceptions = [] }: TrajectoryGroup,
  place: number,
): Pick<RolloutLine, "trajectory" | "exception"> {
  return place < trajectories.length
    ? { trajectory: { ...trajectories[place] }, exception: null }
    : { trajectory: null, exception: { ...exceptions[place - trajectories.length] } };
}
