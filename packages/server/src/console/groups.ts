import type { GroupDetail, GroupSummary, GroupSummaryPage, RunsGroupsListQuery } from "@trainyard/local";
import type { Context } from "../store/commands/context.ts";
import type { Diagnosis } from "@trainyard/training/doctor";
import type { Database, Params, Row } from "../store/database.ts";
import { groupIdOf, keyOfId, placeOf } from "../store/group-key.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { attemptsOf, trainedBy } from "./attempts.ts";
import { hasRun, json, timeIn, type Asked } from "./context.ts";
import { diagnose } from "./findings.ts";
import { flagBits, flagsOf, type Flag } from "./flags.ts";
import { rawGroup } from "./raw-group.ts";
import { middleOf } from "./steps.ts";

type GroupQuery = Asked<RunsGroupsListQuery>;

/** The orders of groups. `flagged`: tasks that fell, then groups with flags, then by how much can be learned from them. */
const orders: Readonly<Record<GroupQuery["sort"], string>> = {
  place: "key",
  flagged: `coalesce((select fallen.key - 1e9 from json_each(:fallen) fallen where fallen.value = task and step >= :since),
    -(((flags & ${flagBits["no-tool"] | flagBits.exception | flagBits["same-answer"] | flagBits.cut | flagBits.stale}) <> 0) * 1e6 + min(coalesce(sd, 0), 1e5)))`,
  mean: "coalesce(mean, 1e308)",
  "-mean": "-coalesce(mean, -1e308)",
  "-sd": "-coalesce(sd, -1)",
};

/** The groups of a run. */
export function listGroups(
  { database }: Context,
  { id, step, split, task, flag, sort, after, limit }: GroupQuery,
): GroupSummaryPage | "not-found" | "unknown-cursor" {
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
  if (flag !== undefined) conditions.push(flagCondition(flag, middle));
  const where = conditions.join(" and ");
  const count = database.once(`select count(*) as total from groups where ${where}`, params)[0];
  const order = orders[sort];
  let page = "";
  const ranked = sort === "flagged" ? rankedBy(diagnose(database, id, step)) : {};
  Object.assign(params, ranked);
  if (after !== undefined) {
    const cursor = findGroup(database, id, after, `${order} as rank, key`, ranked);
    if (cursor === undefined) return "unknown-cursor";
    page = `and (${order}, key) > (:rank, :cursor)`;
    params["rank"] = number(cursor, "rank");
    params["cursor"] = number(cursor, "key");
  }
  const rows = database.once(
    `select * from groups where ${where} ${page} order by ${order}, key limit ${limit + 1}`,
    params,
  );
  return {
    data: rows.slice(0, limit).map((row) => groupOf(row, middle)),
    has_more: rows.length > limit,
    total: count ? number(count, "total") : 0,
  };
}

/** The tasks that fell, as parameters of the order `flagged`. */
function rankedBy({ fallen, since }: Diagnosis): Params {
  return { fallen: JSON.stringify(fallen), since };
}

/** Columns of a group of a run; undefined if it has no such group. */
export function findGroup(
  database: Database,
  id: string,
  group: string,
  columns: string,
  params: Params = {},
): Row | undefined {
  return database.once(`select ${columns} from groups where key = :key and model_id = :id`, {
    ...params,
    id,
    key: keyOfId(group),
  })[0];
}

/** One group with all of its attempts. */
export function getGroup(
  { database }: Context,
  { id, groupId: wanted }: { id: string; groupId: string },
): GroupDetail | "not-found" {
  if (!hasRun(database, id)) return "not-found";
  const row = findGroup(database, id, wanted, "*");
  if (row === undefined) return "not-found";
  const middle = middleOf(database, id);
  const summary = groupOf(row, middle);
  const key = number(row, "key");
  const { step, split, task } = summary;
  const beside = (sql: string) => {
    const found = database.get(
      `select key from groups where model_id = :id and step = :step and split = :split and ${sql}`,
      { id, step, split, key },
    );
    return found ? idIn(found) : null;
  };
  return {
    summary,
    attempts: attemptsOf(database, row, middle),
    advantages: trainedBy(database, row),
    group: { ...rawGroup(database, id, key) },
    neighbours: {
      before: beside("key < :key order by key desc limit 1"),
      after: beside("key > :key order by key limit 1"),
    },
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

/** The SQL condition for a flag of a group. */
export function flagCondition(flag: Flag, middle: number): string {
  if (flag !== "flat-low" && flag !== "flat-high") return `(flags & ${flagBits[flag]}) <> 0`;
  return `(flags & ${flagBits.flat}) <> 0 and mean ${flag === "flat-high" ? ">=" : "<"} ${middle}`;
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
    source: placeOf(number(row, "key")).source,
    attempts: number(row, "attempts"),
    exceptions: number(row, "exceptions"),
    mean,
    sd: numberOrNull(row, "sd"),
    rewards: json(row, "rewards"),
    flags: flagsOf(number(row, "flags"), mean, middle),
    created_at: timeIn(row, "created"),
  };
}
