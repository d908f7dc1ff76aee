import type { Rollout } from "@trainyard/local";
import { number, text } from "../store/row.ts";
import { findRun, type ConsoleContext, type CountedPage, type RunKey } from "./context.ts";
import type { Flag } from "./flags.ts";
import { attemptOf, flagCondition, middleOf } from "./groups.ts";

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

/** Which attempts are asked for. Ranges are `a..b`, with either end left out, or one value. */
export interface RolloutQuery {
  readonly id: string;
  readonly step?: string;
  readonly split?: string;
  readonly task?: string;
  readonly reward?: string;
  readonly tokens?: string;
  readonly tool_calls?: string;
  /** `name:a..b`. */
  readonly metric?: string;
  readonly flag?: Flag;
  readonly finish?: string;
  /** Words that all stand in the beginning of the last answer, or in the exception. */
  readonly text?: string;
  readonly sort: keyof typeof sorts;
  readonly after?: string;
  /** How many to skip, for a list that is scrolled. */
  readonly offset?: number;
  readonly limit: number;
}

/** The attempts of a run that a filter lets through. */
export function listRollouts(
  context: ConsoleContext,
  query: RolloutQuery,
): CountedPage<Rollout> | "not-found" | "unknown-cursor" {
  const run = findRun(context, query.id);
  if (run === undefined) return "not-found";
  const filter = new Filter(run.key);
  filter.equal("split", query.split);
  filter.equal("finish", query.finish);
  filter.range("rollouts.step", query.step);
  filter.range("reward", query.reward);
  filter.range("tokens", query.tokens);
  filter.range("calls", query.tool_calls);
  if (query.task !== undefined) {
    filter.add(`grp in (select key from groups where run = :run and task = ${filter.value(query.task)})`);
  }
  if (query.metric !== undefined) {
    const at = query.metric.lastIndexOf(":");
    const path = filter.value(`$.${JSON.stringify(query.metric.slice(0, at))}`);
    const column = `json_extract(rollouts.metrics, ${path})`;
    // With neither end given, those that have it.
    filter.add(`${column} is not null`);
    filter.range(column, query.metric.slice(at + 1));
  }
  if (query.flag !== undefined) filter.add(flagCondition(context, run, query.flag, "reward"));
  for (const word of (query.text ?? "").split(/\s+/).filter(Boolean)) {
    filter.add(`instr(lower(preview), lower(${filter.value(word)})) > 0`);
  }
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
      const row = context.index.get(rowByKey, { key }) ?? {};
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
    }),
    has_more: keys.length > from + query.limit,
    total: all.length,
  };
}

const rowByKey = `select rollouts.*, groups.id as group_id, groups.task as task, groups.name as name
  from rollouts join groups on groups.key = rollouts.grp where rollouts.key = :key`;

/** Where an attempt stands in an order: `<group>.<place>` tells which it is. */
function findCursor({ index }: ConsoleContext, run: RunKey, id: string, order: string) {
  const [, group = "", place = ""] = /^(.*)\.(\d+)$/.exec(id) ?? [];
  const [row] = index.once(
    `select key, ${order} as value from rollouts
     where key = (select first + :place from groups where run = :run and id = :group and :place < attempts + exceptions)`,
    { run: run.key, group, place: Number(place) },
  );
  return row && { key: number(row, "key"), value: number(row, "value") };
}

/** Conditions in SQL, with what is told from outside as parameters alone. */
class Filter {
  readonly params: Record<string, string | number> = {};
  readonly #conditions: string[];
  #count = 0;

  constructor(run: number) {
    this.#conditions = ["rollouts.run = :run"];
    this.params["run"] = run;
  }

  get where(): string {
    return this.#conditions.join(" and ");
  }

  add(condition: string): void {
    this.#conditions.push(condition);
  }

  /** The name of a parameter with that value. */
  value(value: string | number): string {
    const name = `p${this.#count++}`;
    this.params[name] = value;
    return `:${name}`;
  }

  equal(column: string, value: string | undefined): void {
    if (value !== undefined) this.add(`${column} = ${this.value(value)}`);
  }

  range(column: string, range: string | undefined): void {
    if (range === undefined) return;
    const [from = "", to = from] = range.split("..");
    if (from !== "") this.add(`${column} >= ${this.value(Number(from))}`);
    if (to !== "") this.add(`${column} <= ${this.value(Number(to))}`);
  }
}
