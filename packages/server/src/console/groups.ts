import type { GroupDetail, GroupSummary, CountedPage, Reads } from "@trainyard/console";
import type { Context } from "../store/commands/context.ts";
import type { Database, Row } from "../store/database.ts";
import { groupIdOf, keyOfId } from "../store/group-key.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { trainedBy } from "./advantages.ts";
import { attemptsOf } from "./attempts.ts";
import { hasRun, json, timeIn, type Asked } from "./context.ts";
import { flagBits, flagsOf } from "./flags.ts";
import { rawGroup } from "./raw-group.ts";
import { filterOf } from "./rollout-filter.ts";
import { middleOf, rangeOf } from "./steps.ts";

type GroupQuery = Asked<Reads["/runs/{run_id}/groups"]["query"]>;

/** The orders of groups. `flagged`: groups with flags, then by how much can be learned from them. */
const orders: Readonly<Record<GroupQuery["sort"], string>> = {
  place: "key",
  flagged: `-(((flags & ${flagBits.exception | flagBits["same-answer"] | flagBits.cut | flagBits.stale}) <> 0) * 1e6
    + min(coalesce(sd, 0), 1e5)), key`,
};

/** The groups of a run that match a filter. */
export function listGroups(
  { database }: Context,
  { id, sort, after, limit, ...filter }: GroupQuery,
): CountedPage<GroupSummary> | "not-found" | "unknown-cursor" {
  if (!hasRun(database, id)) return "not-found";
  const middle = middleOf(rangeOf(database, id));
  const { where, params, columns, acceptsGroup } = filterOf(database, { id, ...filter }, middle);
  const found = database
    .once(`select ${columns} from groups where ${where} order by ${orders[sort]}`, params)
    .filter(acceptsGroup)
    .map((row) => number(row, "key"));
  const start = after === undefined ? 0 : found.indexOf(keyOfId(after)) + 1;
  if (after !== undefined && start === 0) return "unknown-cursor";
  return {
    data: rowsOf(database, found.slice(start, start + limit)).map((row) => groupOf(row, middle)),
    has_more: found.length > start + limit,
    total: found.length,
  };
}

/** The rows of groups, in the order of their keys here. */
export function rowsOf(database: Database, keys: readonly number[]): Row[] {
  const sql =
    "select groups.* from json_each(:keys) wanted cross join groups on groups.key = wanted.value order by wanted.key";
  return database.all(sql, { keys: JSON.stringify(keys) });
}

/** One group with all of its attempts. */
export function getGroup(
  { database }: Context,
  { id, groupId: wanted }: { id: string; groupId: string },
): GroupDetail | "not-found" {
  if (!hasRun(database, id)) return "not-found";
  const row = database.get("select * from groups where key = :key and model_id = :id", { id, key: keyOfId(wanted) });
  if (row === undefined) return "not-found";
  const middle = middleOf(rangeOf(database, id));
  const summary = groupOf(row, middle);
  const key = number(row, "key");
  const { step, split, task } = summary;
  const beside = database.get(
    `select max(iif(key < :key, key, null)) as before, min(iif(key > :key, key, null)) as after
     from groups where model_id = :id and step = :step and split = :split`,
    { id, step, split, key },
  );
  const idAt = (place: "before" | "after") => {
    const found = beside && numberOrNull(beside, place);
    return found == null ? null : groupIdOf(found);
  };
  return {
    summary,
    attempts: attemptsOf(database, row, middle),
    advantages: trainedBy(database, row),
    group: { ...rawGroup(database, id, key) },
    neighbours: { before: idAt("before"), after: idAt("after") },
    same_task: database
      .all(
        `select key, step, mean, rewards from groups
         where model_id = :id and task = :task and split = :split order by step, key limit 500`,
        { id, task, split },
      )
      .map((one) => ({
        id: idIn(one),
        step: number(one, "step"),
        mean: numberOrNull(one, "mean"),
        rewards: json(one, "rewards"),
      })),
  };
}

/** The id of a row of `groups`. */
export function idIn(row: Row): string {
  return groupIdOf(number(row, "key"));
}

function groupOf(row: Row, middle: number): GroupSummary {
  const mean = numberOrNull(row, "mean");
  return {
    id: idIn(row),
    step: number(row, "step"),
    split: text(row, "split"),
    task: text(row, "task"),
    name: text(row, "name"),
    attempts: number(row, "attempts"),
    exceptions: number(row, "exceptions"),
    mean,
    sd: numberOrNull(row, "sd"),
    rewards: json(row, "rewards"),
    flags: flagsOf(number(row, "flags"), mean, middle),
    created_at: timeIn(row, "created"),
    metrics: Object.fromEntries(
      Object.entries(json<object>(row, "group_metrics", {})).map(([name, value]) => [name, Number(value)]),
    ),
    metadata: json(row, "group_metadata", {}),
  };
}
