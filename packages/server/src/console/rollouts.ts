import type { Rollout } from "@trainyard/local";
import type { Row } from "../store/database.ts";
import { number, text } from "../store/row.ts";
import { findRun, type ConsoleContext, type CountedPage, type RunKey } from "./context.ts";
import { attemptOf, middleOf } from "./groups.ts";
import { conditionsOf, type RolloutFilter } from "./rollout-filter.ts";

const sorts = {
  step: "rollouts.step",
  "-step": "-rollouts.step",
  reward: "coalesce(reward, 1e308)",
  "-reward": "-coalesce(reward, -1e308)",
  tokens: "coalesce(tokens, 1e308)",
  "-tokens": "-coalesce(tokens, -1)",
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
  context: ConsoleContext,
  query: RolloutQuery,
): CountedPage<Rollout> | "not-found" | "unknown-cursor" {
  const run = findRun(context, query.id);
  if (run === undefined) return "not-found";
  const filter = conditionsOf(context, run, query);
  const order = sorts[query.sort];
  const all = context.orders.keysOf(filter.where, order, filter.params);
  let keys = all;
  if (query.after !== undefined) {
    const cursor = findCursor(context, run, query.after, order);
    if (cursor === undefined) return "unknown-cursor";
    filter.add(`(${order}, rollouts.key) > (${filter.value(cursor.value)}, ${filter.value(cursor.key)})`);
    keys = context.orders.keysOf(filter.where, order, filter.params);
  }
  const from = query.offset ?? 0;
  const middle = middleOf(context, run);
  return {
    data: Array.from(keys.subarray(from, from + query.limit), (key) => {
      return rolloutOf(context.index.get(rowByKey, { key }) ?? {}, middle);
    }),
    has_more: keys.length > from + query.limit,
    total: all.length,
  };
}

/** A row of `rollouts` with the `group_id`, `task` and `name` of its group. */
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

const rowByKey = `select rollouts.*, groups.id as group_id, groups.task as task, groups.name as name
  from rollouts join groups on groups.key = rollouts.grp where rollouts.key = :key`;

/** The position of an attempt in an order; `<group>.<place>` identifies the attempt. */
function findCursor({ index }: ConsoleContext, run: RunKey, id: string, order: string) {
  const [, group = "", place = ""] = /^(.*)\.(\d+)$/.exec(id) ?? [];
  const [row] = index.once(
    `select key, ${order} as value from rollouts
     where key = (select first + :place from groups where run = :run and id = :group and :place < attempts + exceptions)`,
    { run: run.key, group, place: Number(place) },
  );
  return row && { key: number(row, "key"), value: number(row, "value") };
}
