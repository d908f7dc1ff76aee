import type { Rollout } from "@trainyard/local";
import type { Context } from "../store/commands/context.ts";
import type { Row } from "../store/database.ts";
import { number, text } from "../store/row.ts";
import { hasRun, type CountedPage } from "./context.ts";
import { attemptColumns, attemptOf, attemptsOfGroups, findGroup, groupId } from "./groups.ts";
import { conditionsOf, type RolloutFilter } from "./rollout-filter.ts";
import { middleOf } from "./steps.ts";

const sorts = {
  step: "step",
  "-step": "-step",
  reward: "coalesce(reward, 1e308)",
  "-reward": "-coalesce(reward, -1e308)",
  tokens: "coalesce(rollouts.tokens, 1e308)",
  "-tokens": "-coalesce(rollouts.tokens, -1)",
  "-turns": "-turns",
  "-tool_calls": "-calls",
} as const;

/** The filter and the order of attempts. */
export interface RolloutQuery extends RolloutFilter {
  readonly sort: keyof typeof sorts;
  readonly after?: string;
  /** The number of attempts to skip, for a list that is scrolled. */
  readonly offset?: number;
  readonly limit: number;
}

/** The attempts of a run that match a filter. */
export function listRollouts(
  { database }: Context,
  query: RolloutQuery,
): CountedPage<Rollout> | "not-found" | "unknown-cursor" {
  if (!hasRun(database, query.id)) return "not-found";
  const middle = middleOf(database, query.id);
  const filter = conditionsOf(query, middle);
  const order = sorts[query.sort];
  let after = "";
  if (query.after !== undefined) {
    const [, group = "", place = ""] = /^(.*)\.(\d+)$/.exec(query.after) ?? [];
    const found = findGroup(database, query.id, group, "key");
    const key = (found ? number(found, "key") : 0) + Number(place);
    const [cursor] = database.once(
      `select ${order} as value from ${attemptsOfGroups} where groups.key = :group and rollouts.key = :key`,
      { group: key - Number(place), key },
    );
    if (cursor === undefined) return "unknown-cursor";
    after = `where (rank, attempt) > (${filter.value(number(cursor, "value"))}, ${filter.value(key)})`;
  }
  // Filters once, and sorts only keys: with all columns, a sort of many attempts takes several times as long.
  const rows = database.once(
    `with found as materialized (
       select groups.key as grp, rollouts.key as attempt, ${order} as rank from ${attemptsOfGroups} where ${filter.where})
     select total, attempt, ${rolloutColumns} from (select count(*) as total from found)
     left join (select * from found ${after} order by rank, attempt limit ${query.limit + 1} offset ${query.offset ?? 0})
     left join groups on groups.key = grp left join rollouts on rollouts.key = attempt order by rank, attempt`,
    filter.params,
  );
  // An empty page has one row, with the total alone.
  const page = rows.filter((row) => row["attempt"] !== null);
  return {
    data: page.slice(0, query.limit).map((row) => rolloutOf(row, middle)),
    has_more: page.length > query.limit,
    total: rows[0] ? number(rows[0], "total") : 0,
  };
}

/** The columns of an attempt and of its group. */
export const rolloutColumns: string = `${attemptColumns}, ${groupId} as group_id, step, split, task, name`;

/** An attempt with `rolloutColumns`. */
export function rolloutOf(row: Row, middle: number): Rollout {
  const group = text(row, "group_id");
  const attempt = attemptOf(row, middle);
  return {
    id: `${group}.${attempt.place}`,
    group,
    step: number(row, "step"),
    split: text(row, "split"),
    task: text(row, "task"),
    name: text(row, "name"),
    attempt,
  };
}
