import type { Attempt, GroupDetail, GroupSummary } from "@trainyard/local";
import type { Context } from "../store/commands/context.ts";
import type { Database, Row } from "../store/database.ts";
import { number, numberOrNull, text, textOrNull } from "../store/row.ts";
import { hasRun, listIn, numbersIn, timeIn, type CountedPage } from "./context.ts";
import { flagBits, flagsOf, type Flag } from "./flags.ts";
import { rawGroup } from "./raw-group.ts";
import { middleOf } from "./steps.ts";

/** The filter of groups. */
export interface GroupQuery {
  readonly id: string;
  readonly step?: number;
  readonly split?: string;
  readonly task?: string;
  readonly flag?: Flag;
  readonly sort: "place" | "flagged" | "mean" | "-mean" | "-sd";
  readonly after?: string;
  readonly limit: number;
}

/** The orders of groups. `flagged`: groups with flags first, then by how much can be learned from them. */
const orders: Readonly<Record<GroupQuery["sort"], string>> = {
  place: "key",
  flagged: `-(((flags & ${flagBits["no-tool"] | flagBits.exception | flagBits["same-answer"] | flagBits.cut | flagBits.stale}) <> 0) * 1e6 + min(coalesce(sd, 0), 1e5))`,
  mean: "coalesce(mean, 1e308)",
  "-mean": "-coalesce(mean, -1e308)",
  "-sd": "-coalesce(sd, -1)",
};

/** The id of a group: `<seq>.<place>` of a log, with `j` in front for a job. */
export const groupId = "iif(source = 'job', 'j', '') || groups.seq || '.' || groups.place";

/** Groups with their attempts: the key of a group is that of its first attempt, and the others follow. */
export const attemptsOfGroups = `groups cross join rollouts
  on rollouts.key >= groups.key and rollouts.key < groups.key + groups.attempts + groups.exceptions`;

/** The flags of an attempt: its own, and if it has a trajectory, those that its group has as a whole. */
const ofGroup = flagBits.flat | flagBits.single | flagBits.trained | flagBits["not-logged"];
export const attemptFlags: string = `(rollouts.flags | iif(exception is null, groups.flags & ${ofGroup}, 0))`;

/** The columns of an attempt, joined with its group. */
export const attemptColumns: string = `rollouts.key - groups.key as place, reward, rollouts.tokens as tokens, turns, calls, finish,
  exception, ${attemptFlags} as flags, preview, rollouts.metrics as metrics, groups.attempts as size, mean, sd`;

/** The groups of a run. */
export function listGroups(
  { database }: Context,
  { id, step, split, task, flag, sort, after, limit }: GroupQuery,
): CountedPage<GroupSummary> | "not-found" | "unknown-cursor" {
  if (!hasRun(database, id)) return "not-found";
  const middle = middleOf(database, id);
  const conditions = ["model_id = :id"];
  const params: Record<string, string | number> = { id };
  const add = (condition: string, name: string, value: string | number | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  add("step = :step", "step", step);
  add("split = :split", "split", split);
  add("task = :task", "task", task);
  if (flag !== undefined) conditions.push(flagCondition(flag, middle, "flags", "mean"));
  const where = conditions.join(" and ");
  const count = database.once(`select count(*) as total from groups where ${where}`, params)[0];
  const order = orders[sort];
  let page = "";
  if (after !== undefined) {
    const cursor = findGroup(database, id, after, `${order} as rank, key`);
    if (cursor === undefined) return "unknown-cursor";
    page = `and (${order}, key) > (:rank, :cursor)`;
    params["rank"] = number(cursor, "rank");
    params["cursor"] = number(cursor, "key");
  }
  const rows = database.once(
    `select *, ${groupId} as id from groups where ${where} ${page} order by ${order}, key limit ${limit + 1}`,
    params,
  );
  return {
    data: rows.slice(0, limit).map((row) => groupOf(row, middle)),
    has_more: rows.length > limit,
    total: count ? number(count, "total") : 0,
  };
}

/** Columns of a group of a run; undefined if it has no such group. A group is found by the step of its log or job. */
export function findGroup(database: Database, id: string, group: string, columns: string): Row | undefined {
  const [, job, seq, place] = /^(j?)(\d+)\.(\d+)$/.exec(group) ?? [];
  const source = job === "j" ? "job" : "log";
  return database.once(
    `select ${columns} from groups where model_id = :id and source = :source and seq = :seq and place = :place
       and step = (select step from ${source}s where seq = :seq)`,
    { id, source, seq: Number(seq ?? -1), place: Number(place ?? -1) },
  )[0];
}

/** One group with all of its attempts. */
export function getGroup(
  { database }: Context,
  { id, groupId: wanted }: { id: string; groupId: string },
): GroupDetail | "not-found" {
  if (!hasRun(database, id)) return "not-found";
  const row = findGroup(database, id, wanted, `*, ${groupId} as id`);
  if (row === undefined) return "not-found";
  const middle = middleOf(database, id);
  const summary = groupOf(row, middle);
  const key = number(row, "key");
  const { step, split, task } = summary;
  const beside = (sql: string) => {
    const found = database.get(
      `select ${groupId} as id from groups where model_id = :id and step = :step and split = :split and ${sql}`,
      { id, step, split, key },
    );
    return found ? text(found, "id") : null;
  };
  return {
    summary,
    attempts: database
      .all(`select ${attemptColumns} from ${attemptsOfGroups} where groups.key = :key order by place`, { key })
      .map((one) => attemptOf(one, middle)),
    group: { ...rawGroup(database, id, wanted) },
    neighbours: {
      before: beside("key < :key order by key desc limit 1"),
      after: beside("key > :key order by key limit 1"),
    },
    same_task: database
      .all(
        `select ${groupId} as id, step, mean, rewards from groups
         where model_id = :id and task = :task and split = :split order by step, key limit 500`,
        { id, task, split },
      )
      .map((one) => ({
        id: text(one, "id"),
        step: number(one, "step"),
        mean: numberOrNull(one, "mean"),
        rewards: listIn(one, "rewards"),
      })),
  };
}

/**
 * The SQL condition for a flag of a row.
 *
 * @param flags the flags of the row, in SQL
 * @param value its reward, in SQL
 */
export function flagCondition(flag: Flag, middle: number, flags: string, value: "mean" | "reward"): string {
  if (flag !== "flat-low" && flag !== "flat-high") return `(${flags} & ${flagBits[flag]}) <> 0`;
  return `(${flags} & ${flagBits.flat}) <> 0 and ${value} ${flag === "flat-high" ? ">=" : "<"} ${middle}`;
}

/** An attempt with `attemptColumns`. */
export function attemptOf(row: Row, middle: number): Attempt {
  const [reward, mean, sd] = [numberOrNull(row, "reward"), numberOrNull(row, "mean"), numberOrNull(row, "sd")];
  const isCompared = reward !== null && mean !== null && sd !== null && number(row, "size") > 1;
  return {
    place: number(row, "place"),
    reward,
    // How far the reward is above the group's mean, in standard deviations of the group.
    advantage: isCompared ? (sd === 0 ? 0 : (reward - mean) / sd) : null,
    tokens: numberOrNull(row, "tokens"),
    turns: number(row, "turns"),
    tool_calls: number(row, "calls"),
    finish: textOrNull(row, "finish"),
    exception: textOrNull(row, "exception"),
    flags: flagsOf(number(row, "flags"), reward, middle),
    preview: text(row, "preview"),
    metrics: numbersIn(row, "metrics"),
  };
}

function groupOf(row: Row, middle: number): GroupSummary {
  const mean = numberOrNull(row, "mean");
  return {
    id: text(row, "id"),
    step: number(row, "step"),
    split: text(row, "split"),
    task: text(row, "task"),
    name: text(row, "name"),
    source: text(row, "source") === "job" ? "job" : "log",
    attempts: number(row, "attempts"),
    exceptions: number(row, "exceptions"),
    mean,
    sd: numberOrNull(row, "sd"),
    rewards: listIn(row, "rewards"),
    flags: flagsOf(number(row, "flags"), mean, middle),
    created_at: timeIn(row, "created"),
  };
}
