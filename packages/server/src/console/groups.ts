import type { Attempt, GroupDetail, GroupSummary } from "@trainyard/local";
import type { Row } from "../store/database.ts";
import { number, numberOrNull, text, textOrNull } from "../store/row.ts";
import { findRun, listIn, numbersIn, timeIn, type ConsoleContext, type CountedPage, type RunKey } from "./context.ts";
import { flagBits, flagsOf, type Flag } from "./flags.ts";
import { rawGroup } from "./raw-group.ts";

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

/** The groups of a run. */
export function listGroups(
  context: ConsoleContext,
  { id, step, split, task, flag, sort, after, limit }: GroupQuery,
): CountedPage<GroupSummary> | "not-found" | "unknown-cursor" {
  const run = findRun(context, id);
  if (run === undefined) return "not-found";
  const conditions = ["run = :run"];
  const params: Record<string, string | number> = { run: run.key };
  const add = (condition: string, name: string, value: string | number | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  add("step = :step", "step", step);
  add("split = :split", "split", split);
  add("task = :task", "task", task);
  if (flag !== undefined) conditions.push(flagCondition(context, run, flag, "mean"));
  const where = conditions.join(" and ");
  const count = context.index.once(`select count(*) as total from groups where ${where}`, params)[0];
  const order = orders[sort];
  let page = "";
  if (after !== undefined) {
    const [cursor] = context.index.once(`select ${order} as place, key from groups where run = :run and id = :after`, {
      run: run.key,
      after,
    });
    if (cursor === undefined) return "unknown-cursor";
    page = `and (${order}, key) > (:place, :cursor)`;
    params["place"] = number(cursor, "place");
    params["cursor"] = number(cursor, "key");
  }
  const rows = context.index.once(
    `select *, ${order} as place from groups where ${where} ${page} order by place, key limit ${limit + 1}`,
    params,
  );
  return {
    data: rows.slice(0, limit).map((row) => groupOf(context, run, row)),
    has_more: rows.length > limit,
    total: count ? number(count, "total") : 0,
  };
}

/** One group with all of its attempts. */
export function getGroup(
  context: ConsoleContext,
  { id, groupId }: { id: string; groupId: string },
): GroupDetail | "not-found" {
  const run = findRun(context, id);
  if (run === undefined) return "not-found";
  const { index } = context;
  const row = index.get("select * from groups where run = :run and id = :groupId", { run: run.key, groupId });
  if (row === undefined) return "not-found";
  const record = groupOf(context, run, row);
  const key = number(row, "key");
  const middle = middleOf(context, run);
  const same = { run: run.key, step: record.step, split: record.split, key };
  const beside = (sql: string) => {
    const found = index.get(
      `select id from groups where run = :run and step = :step and split = :split and ${sql}`,
      same,
    );
    return found ? text(found, "id") : null;
  };
  return {
    summary: record,
    attempts: index
      .all("select * from rollouts where key >= :first and key < :end order by place", {
        first: number(row, "first"),
        end: number(row, "first") + record.attempts + record.exceptions,
      })
      .map((one) => attemptOf(one, middle)),
    group: rawGroup(context, run, groupId),
    neighbours: {
      before: beside("key < :key order by key desc limit 1"),
      after: beside("key > :key order by key limit 1"),
    },
    same_task: index
      .all("select * from groups where run = :run and task = :task and split = :split order by step, key limit 500", {
        run: run.key,
        task: record.task,
        split: record.split,
      })
      .map((one) => ({
        id: text(one, "id"),
        step: number(one, "step"),
        mean: numberOrNull(one, "mean"),
        rewards: listIn(one, "rewards"),
      })),
  };
}

/** The SQL condition for a flag of a row. */
export function flagCondition(context: ConsoleContext, run: RunKey, flag: Flag, value: "mean" | "reward"): string {
  if (flag !== "flat-low" && flag !== "flat-high") return `(flags & ${flagBits[flag]}) <> 0`;
  return `(flags & ${flagBits.flat}) <> 0 and ${value} ${flag === "flat-high" ? ">=" : "<"} ${middleOf(context, run)}`;
}

export function middleOf({ steps }: ConsoleContext, run: RunKey): number {
  const { low, high } = steps.range(run);
  return (low + high) / 2;
}

/** An attempt from the index. */
export function attemptOf(row: Row, middle: number): Attempt {
  return {
    place: number(row, "place"),
    reward: numberOrNull(row, "reward"),
    advantage: numberOrNull(row, "advantage"),
    tokens: numberOrNull(row, "tokens"),
    turns: number(row, "turns"),
    tool_calls: number(row, "calls"),
    finish: textOrNull(row, "finish"),
    exception: textOrNull(row, "exception"),
    flags: flagsOf(number(row, "flags"), numberOrNull(row, "reward"), middle),
    preview: text(row, "preview"),
    metrics: numbersIn(row, "metrics"),
  };
}

function groupOf(context: ConsoleContext, run: RunKey, row: Row): GroupSummary {
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
    flags: flagsOf(number(row, "flags"), mean, middleOf(context, run)),
    created_at: timeIn(row, "created"),
  };
}
