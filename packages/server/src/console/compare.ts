import type { Comparison, Reads, RewardRange } from "@trainyard/console";
import { rewardsDiffer } from "@trainyard/training/rollouts";
import type { Context } from "../store/commands/context.ts";
import type { Database, Row } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { attemptsOf } from "./attempts.ts";
import { finite, json } from "./context.ts";
import { nameOf } from "./curve.ts";
import { rolloutOf } from "./rollouts.ts";
import { describeStep } from "./step-figures.ts";
import { StepSummary } from "./step-summary.ts";
import { middleOf, rangeOf, splitsOf } from "./steps.ts";
import { byTask, changeOf, valueColumns, type TaskAt } from "./task-values.ts";

/** How many items, tasks and attempts a comparison shows. */
const [mostItems, mostTasks, mostWorst] = [4, 200, 10];

/** A step of a run, or its newest steps. */
export interface Item {
  readonly id: string;
  readonly step: number;
  /** The first of the steps. */
  readonly from: number;
  readonly rows: readonly Row[];
  readonly summary: StepSummary;
  readonly range: RewardRange;
  /** The values of the tasks at the step; for the first item, the newest ones at or before it. */
  readonly values: ReadonlyMap<string, TaskAt>;
}

type Change = Comparison["changes"][number];

/** Compares steps of runs with the first of them. */
export function compareRuns(
  { database }: Context,
  { runs, split: asked, last = 5, entity = null }: Reads["/compare"]["query"] & { entity?: string | null },
): Comparison {
  const refused: Comparison["refused"] = [];
  const items: Item[] = [];
  const parts = runs.split(",").map((part) => part.trim());
  const isReadable = (id: string) =>
    database.get("select 1 from models where id = :id and (:entity is null or entity = :entity)", { id, entity });
  const splits = [...new Set(parts.map(idOf))].filter(isReadable).map((id) => splitsOf(database, id));
  const isVal = splits.length > 1 && !runs.includes("@") && splits.every((own) => own.includes("val"));
  const split = asked ?? (isVal ? "val" : (splits[0]?.[0] ?? "train"));
  for (const of of parts.filter(Boolean)) {
    const found = !isReadable(idOf(of))
      ? "unknown-run"
      : items.length === mostItems
        ? "too-many"
        : findItem(database, of, { split, last });
    if (typeof found === "string") refused.push({ of, why: found });
    else if (items.some(({ id, step }) => id === found.id && step === found.step))
      refused.push({ of, why: "repeated" });
    else items.push(found);
  }
  const [first, ...others] = items;
  if (first === undefined)
    return { split, items: [], curves: [], refused, changes: [], tasks: [], total: 0, worst: [] };
  const wanted = [...new Set(others.flatMap(({ values }) => [...values.keys()]))];
  const base = { ...first, values: valuesBefore(database, first, { split, wanted }) };
  const tasks = wanted.map((task) => shownTask(task, base, others)).toSorted((a, b) => a.rank - b.rank);
  return {
    split,
    items: items.map((item) => ({
      run_id: item.id,
      name: nameOf(database, item.id),
      step: item.step,
      from: item.from,
      range: item.range,
      ...describeStep(database, item),
    })),
    curves: [...new Set(items.map(({ id }) => id))].flatMap((id) =>
      [...new Set([split, "val"])].flatMap((of) => curveOf(database, id, of)),
    ),
    refused,
    changes: others.map((item) => changeBetween(first, base, item)),
    tasks: tasks.slice(0, mostTasks).map(({ shown }) => shown),
    total: tasks.length,
    worst: worstOf(database, base, others),
  };
}

/** The run that a part of the query names. */
function idOf(part: string): string {
  return part.replace(/@.*/s, "");
}

/** The step that a part of the query names, or why there is none. */
function findItem(
  database: Database,
  of: string,
  { split, last }: { split: string; last: number },
): Item | "unknown-step" {
  const [, id = "", wanted] = /^(.*?)(?:@(.*))?$/.exec(of) ?? [];
  if (wanted !== undefined && !/^\d{1,15}$/.test(wanted)) return "unknown-step";
  const found = database.all(
    `select step from steps where model_id = :id and split = :split and (:wanted is null or step = :wanted)
     order by step desc limit :last`,
    { id, split, wanted: wanted === undefined ? null : Number(wanted), last },
  );
  const [from, step] = [found.at(-1), found[0]].map((row) => row && number(row, "step"));
  if (from === undefined || step === undefined) return "unknown-step";
  const rows = database.all(
    `select * from groups where model_id = :id and step between :from and :step and split = :split
     order by step, key`,
    { id, from, step, split },
  );
  return { id, step, from, rows, summary: StepSummary.from(rows), range: rangeOf(database, id), values: byTask(rows) };
}

/** The mean rewards of a split; none if the run does not have it. */
function curveOf(database: Database, id: string, split: string): Comparison["curves"] {
  const rows = database.all(
    `select step, iif(attempts > 0, total / attempts, null) as mean, (select min(created) from groups
       where model_id = :id and step = steps.step and split = :split) as time
     from steps where model_id = :id and split = :split order by step`,
    { id, split },
  );
  if (rows.length === 0) return [];
  return [
    {
      run_id: id,
      split,
      step: rows.map((row) => number(row, "step")),
      time: rows.map((row) => numberOrNull(row, "time")),
      mean: rows.map((row) => finite(numberOrNull(row, "mean") ?? Number.NaN)),
    },
  ];
}

/** The newest values of tasks at or before the step of an item. */
function valuesBefore(
  database: Database,
  { id, step, values }: Item,
  { split, wanted }: { split: string; wanted: readonly string[] },
): Map<string, TaskAt> {
  const [here, elsewhere]: [[string, TaskAt][], string[]] = [[], []];
  for (const task of wanted) {
    const value = values.get(task);
    if (value?.mean == null) elsewhere.push(task);
    else here.push([task, value]);
  }
  const rows = database.all(
    `with seen as (select task, max(step) as step from groups where model_id = :id and step <= :step and split = :split
       and attempts > 0 and task in (select value from json_each(:tasks)) group by task)
     select ${valueColumns} from seen cross join groups using (task, step) where model_id = :id and split = :split order by key`,
    { id, step, split, tasks: JSON.stringify(elsewhere) },
  );
  return new Map([...here, ...byTask(rows)]);
}

/** The earlier value of a task that is compared with that in an item; undefined if there is none. */
function earlier(task: string, base: Item, item: Item): TaskAt | undefined {
  const value = areAlike(base.range, item.range) ? base.values.get(task) : undefined;
  // A group is not compared with itself, where the later step is the first.
  return value?.step === item.step && base.id === item.id ? undefined : value;
}

/** Whether two ranges are of one kind of reward: they overlap, and none is more than twice as wide. */
function areAlike(a: RewardRange, b: RewardRange): boolean {
  const ratio = (a.high / 2 - a.low / 2) / (b.high / 2 - b.low / 2);
  return ratio <= 2 && ratio >= 0.5 && a.low < b.high && b.low < a.high;
}

/** A task in all items, with its rank: the lowest of its changes × weights. */
function shownTask(task: string, base: Item, others: readonly Item[]) {
  const values = others.map((item) => item.values.get(task)?.shown(earlier(task, base, item)) ?? null);
  const weighted = values.flatMap((value, at) =>
    value?.change == null ? [] : (value.change * value.attempts) / (others[at]?.summary.rewards.length ?? 1),
  );
  const named = [...others, base].map((item) => item.values.get(task)?.groups.at(-1)).find((row) => row !== undefined);
  return {
    rank: weighted.length === 0 ? Number.MAX_VALUE : Math.min(...weighted),
    shown: {
      task,
      name: named ? text(named, "name") : task,
      values: [base.values.get(task)?.shown(undefined) ?? null, ...values],
    },
  };
}

const noChange = { change: null, same: null, error: null, mix: null, mix_error: null, tasks: 0, fell: 0, rose: 0 };

/** How the mean changed from the step of the first item to that of another: in the same tasks, and by their mix. */
function changeBetween(first: Item, base: Item, item: Item): Change {
  const rewarded = ({ values }: Item) => [...values].flatMap(([task, { attempts }]) => (attempts > 0 ? task : []));
  const unknown = rewarded(item).filter((task) => earlier(task, base, item) === undefined);
  const none: Change = {
    ...noChange,
    new: unknown.length,
    gone: rewarded(first).filter((task) => !item.values.get(task)?.attempts).length,
    why: null,
  };
  const [from, to] = [first.summary.mean, item.summary.mean];
  if (from === null || to === null) return { ...none, why: "no-reward" };
  if (!areAlike(base.range, item.range)) return { ...none, new: 0, why: "ranges" };
  const common = [...item.values].flatMap(([task, now]) => {
    const before = earlier(task, base, item);
    return before === undefined || now.mean === null ? [] : [{ before, now, ...changeOf(before, now) }];
  });
  const m = common.length;
  const changes = common.flatMap(({ change }) => change ?? []);
  const change = finite(to - from);
  if (change === null || changes.length < m) return { ...none, tasks: m, why: "too-large" };
  if (m === 0) return { ...none, change, why: "no-common-task" };
  const same = changes.reduce((sum, one) => sum + one / m, 0);
  const spread = m === 1 || !rewardsDiffer(changes) ? null : sampleDeviation(changes, same);
  const beyond = (sign: number) => common.filter((one) => (one.change ?? 0) * sign > (one.error ?? Infinity)).length;
  return {
    ...none,
    change,
    same,
    error: spread === null ? null : finite(spread / Math.sqrt(m)),
    mix: change - same,
    mix_error: mixError(first, item, common),
    tasks: m,
    fell: beyond(-1),
    rose: beyond(1),
    why: m === 1 ? "one-task" : spread === null ? "equal" : Number.isFinite(spread) ? null : "too-large",
  };
}

function sampleDeviation(values: readonly number[], mean: number): number {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/**
 * The standard error of what other tasks explain. It is a sum of task means with weights: their shares of the attempts at the
 * two steps, without those that the mean of the common tasks' changes gives them.
 */
function mixError(
  first: Item,
  item: Item,
  common: readonly Readonly<Record<"before" | "now", TaskAt>>[],
): number | null {
  const weights = new Map<TaskAt, number>();
  const add = (value: TaskAt, weight: number) => weights.set(value, (weights.get(value) ?? 0) + weight);
  for (const now of item.values.values()) add(now, now.attempts / item.summary.rewards.length);
  for (const then of first.values.values()) add(then, -then.attempts / first.summary.rewards.length);
  for (const { before, now } of common) {
    add(now, -1 / common.length);
    add(before, 1 / common.length);
  }
  let sum = 0;
  for (const [{ variance, attempts }, weight] of weights) {
    // Rounding leaves a little of weights that cancel each other.
    if (Math.abs(weight) < 1e-12) continue;
    if (variance === null) return null;
    sum += (weight ** 2 * variance) / attempts;
  }
  return finite(Math.sqrt(sum));
}

/** The worst attempt of each task that fell by more than its error, by how far it is below the task's earlier mean. */
function worstOf(database: Database, base: Item, others: readonly Item[]): Comparison["worst"] {
  const worst = others.flatMap((one, at) =>
    [...one.values].flatMap(([task, now]) => {
      const before = earlier(task, base, one);
      const { change, error } = changeOf(before, now);
      if (before?.mean == null || change === null || -change <= (error ?? 0)) return [];
      const attempts = now.groups.flatMap((row) =>
        json<number[]>(row, "rewards").map((reward, place) => ({ row, place, reward })),
      );
      const [lowest] = attempts.toSorted((a, b) => a.reward - b.reward);
      if (lowest === undefined) return [];
      return { ...lowest, item: at + 1, before: before.mean, middle: middleOf(one.range) };
    }),
  );
  return worst
    .toSorted((a, b) => a.reward - a.before - (b.reward - b.before))
    .slice(0, mostWorst)
    .flatMap(({ row, place, item, before, middle }) => {
      const attempt = attemptsOf(database, row, middle)[place];
      return attempt ? { item, before, rollout: rolloutOf(row, attempt) } : [];
    });
}
