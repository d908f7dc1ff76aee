import type { RolloutLine } from "@trainyard/local";
import type { TrajectoryGroup } from "@trainyard/training";
import type { Context } from "../store/commands/context.ts";
import { number, numberOrNull } from "../store/row.ts";
import { hasRun } from "./context.ts";
import { nameOf } from "./curve.ts";
import { attemptsOf } from "./attempts.ts";
import { rawGroup } from "./raw-group.ts";
import { filterOf, type RolloutFilter } from "./rollout-filter.ts";
import { rolloutOf } from "./rollouts.ts";
import { middleOf } from "./steps.ts";

/** How many groups, and how many characters, are read at a time, which limits the memory of an export. */
const [mostGroups, mostText] = [32, 1_000_000];

/** Some lines of an export. */
export interface ExportPiece {
  readonly lines: string;
  /** The cursor for the next piece: its first group, and the place in it. Undefined at the end. */
  readonly next?: readonly [key: number, place: number];
  /** The name of the run. */
  readonly name: string;
}

/**
 * A piece of the attempts that match a filter, one per line, in the order in which they were logged. In this order, each log
 * is read only once.
 */
export function exportRollouts(
  { database }: Context,
  { after: [from, skipped] = [0, 0], ...query }: RolloutFilter & { after?: readonly [key: number, place: number] },
): ExportPiece | "not-found" {
  const { id } = query;
  if (!hasRun(database, id)) return "not-found";
  const middle = middleOf(database, id);
  const name = nameOf(database, id);
  const { where, params, columns, accepts } = filterOf(query, middle);
  const rows = database.once(
    // `not indexed` reads the groups in the order of their keys. With an index, each piece would have to sort all of them.
    `select *, ${columns} from groups not indexed where ${where} and key >= :after order by key limit ${mostGroups}`,
    { ...params, after: from },
  );
  let lines = "";
  let next: ExportPiece["next"];
  for (const row of rows) {
    const key = number(row, "key");
    const isRight = accepts(row);
    for (const attempt of attemptsOf(row, middle)) {
      const { place } = attempt;
      if ((key === from && place < skipped) || !isRight(place)) continue;
      if (lines.length > mostText) return { lines, name, next: [key, place] };
      const group = rawGroup(database, id, key);
      const { metadata, metrics, logs } = group;
      const time = numberOrNull(row, "created");
      const notes = { ...(metadata && { metadata }), ...(metrics && { metrics }), ...(logs && { logs: [...logs] }) };
      const at = time === null ? {} : { time: new Date(time).toISOString() };
      const line: RolloutLine = { ...rolloutOf(row, attempt), ...at, ...notes, ...attemptAt(group, place) };
      lines += `${JSON.stringify(line)}\n`;
    }
    next = [key + 1, 0];
  }
  return { lines, name, ...(rows.length === mostGroups && next && { next }) };
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
