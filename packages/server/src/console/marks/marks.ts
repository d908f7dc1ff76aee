import type { Marks } from "@trainyard/local";
import type { Context } from "../../store/commands/context.ts";
import type { Database, Row } from "../../store/database.ts";
import { number, numberFrom, numberOrNull, text, textOrNull } from "../../store/row.ts";
import { hasRun, json } from "../context.ts";
import { summariesOf } from "../step-summary.ts";
import { splitsOf } from "../steps.ts";
import { Moments } from "./change.ts";
import { rules, type Counted, type Figures, type Looked, type Pair, type RuleName } from "./rules.ts";
import { Series } from "./series.ts";

/** A mark as it is stored with each step at which it is open. */
interface OpenMark {
  readonly rule: RuleName;
  /** The task or the metric that it is about; empty for the run. */
  readonly of: string;
  readonly since: number;
  /** Its figures at the last step at which its condition held. */
  readonly figures: Figures;
  /** For how many steps its condition was false. */
  readonly quiet: number;
}

/** The marks that are open at a step, as they are stored, with the number of groups that were looked at. */
export interface AskedStep extends Record<"id" | "split" | "marks", string>, Record<"step" | "groups", number> {}

/** A mark ends when its condition is false for the third step. */
const mostQuiet = 3;
/** How many steps are called the first ones, and how many newest ones are counted together. */
const [firstSteps, counted] = [10, 3];

/** Asks the rules about the steps that changed, of one run; also about the steps after them, which remember the marks. */
export function askMarks({ database }: Context, { after }: { after: string }): AskedStep[] {
  const row = database.get(
    `select model_id, split from steps where marks is null and model_id > :after
       and not exists(select 1 from underived) order by model_id limit 1`,
    { after },
  );
  if (row === undefined) return [];
  const id = text(row, "model_id");
  return splitsOf(database, id).flatMap((split) => askSplit(database, id, split));
}

/** Stores what the rules said, unless the step has changed since. */
export function keepMarks({ database }: Context, steps: readonly AskedStep[]): void {
  for (const { id, split, step, groups, marks } of steps)
    database.run(
      `update steps set marks = :marks where model_id = :id and split = :split and step = :step and groups = :groups`,
      { id, split, step, groups, marks },
    );
}

function askSplit(database: Database, id: string, split: string): AskedStep[] {
  const rows = database.all(
    "select step, groups, attempts, total, lo, hi, marks from steps where model_id = :id and split = :split order by step",
    { id, split },
  );
  const first = rows.findIndex((row) => row["marks"] === null);
  if (first < 0) return [];
  const summaries = summariesOf(database, id, split);
  const read = readerOf(database, id, split);
  const reward = new Series();
  const [tasks, metrics] = [new Map<string, Series>(), new Map<string, Series>()];
  const addTo = (all: Map<string, Series>, name: string, step: number, moments: Moments): Series => {
    const series = all.get(name) ?? new Series();
    all.set(name, series);
    series.add(step, moments);
    return series;
  };
  let [low, high] = [0, 1];
  let open: readonly OpenMark[] = first === 0 ? [] : json(rows[first - 1] ?? {}, "marks", []);
  const asked: AskedStep[] = [];
  for (const [at, row] of rows.entries()) {
    const step = number(row, "step");
    low = Math.min(low, numberOrNull(row, "lo") ?? low);
    high = Math.max(high, numberOrNull(row, "hi") ?? high);
    // The sums of a step stay when its logs are deleted.
    const total = numberOrNull(row, "total") ?? 0;
    reward.add(step, Moments.of([{ n: number(row, "attempts"), total, squares: 0 }]));
    const summary = summaries.get(step);
    const here = (all: Map<string, Series>, values: Iterable<readonly [string, Moments]>) =>
      new Map([...values].map(([name, moments]) => [name, addTo(all, name, step, moments)]));
    const looked = {
      tasks: here(tasks, summary?.tasks ?? []),
      metrics: here(
        metrics,
        [...(summary?.metrics ?? [])].map(([name, { count: n, mean }]) => [
          name,
          Moments.of([{ n, total: (mean ?? 0) * n, squares: 0 }]),
        ]),
      ),
    };
    if (at < first) continue;
    const newest = rows.slice(Math.max(0, at + 1 - counted), at + 1).map((one) => number(one, "step"));
    const firsts = rows.slice(0, firstSteps).map((one) => number(one, "step"));
    open = next(open, step, {
      ...looked,
      span: high / 2 - low / 2 > 1e150 ? Infinity : high - low,
      reward,
      counts: countsOf(database, { id, split }, newest),
      valuesAt: (points, metric) => points.flatMap((point) => read(point.step).map((group) => group.values(metric))),
      *firstPairs(metric, until) {
        for (const one of firsts) if (one <= until) yield read(one).flatMap((group) => group.pairs(metric));
      },
    });
    const marks = JSON.stringify(open.map((mark) => named(database, id, mark)));
    if (marks !== textOrNull(row, "marks")) asked.push({ id, split, step, groups: number(row, "groups"), marks });
  }
  return asked;
}

/** The marks that are open after a step. */
function next(open: readonly OpenMark[], step: number, looked: Looked): OpenMark[] {
  return (Object.keys(rules) as RuleName[]).flatMap((rule) => {
    const answers = rules[rule].look(looked);
    const before = new Map(open.flatMap((mark) => (mark.rule === rule ? [[mark.of, mark]] : [])));
    return [...new Set([...before.keys(), ...answers.keys()])].flatMap((of): OpenMark[] => {
      const [mark, answer] = [before.get(of), answers.get(of)];
      if (answer) return [{ rule, of, since: mark?.since ?? step, figures: answer, quiet: 0 }];
      if (mark === undefined) return [];
      const quiet = mark.quiet + (answer === false ? 1 : 0);
      return quiet < mostQuiet ? [{ ...mark, quiet }] : [];
    });
  });
}

/** A task has a name beside the text that identifies it. */
function named(database: Database, id: string, mark: OpenMark): OpenMark {
  if (mark.rule !== "reward-fell" || mark.of === "" || mark.figures["name"] !== undefined) return mark;
  const row = database.get("select name from groups where model_id = :id and task = :of limit 1", { id, of: mark.of });
  return { ...mark, figures: { ...mark.figures, name: row === undefined ? mark.of : text(row, "name") } };
}

/** Reads the groups of steps, each step once. */
function readerOf(database: Database, id: string, split: string) {
  const known = new Map<number, ReturnType<typeof groupIn>[]>();
  return (step: number) => {
    const groups =
      known.get(step) ??
      database
        .all(
          "select task, rewards, metrics from groups where model_id = :id and step = :step and split = :split order by key",
          { id, step, split },
        )
        .map(groupIn);
    // The best and the newest steps of a few figures are asked again at the next step.
    if (known.size > 50) known.clear();
    known.set(step, groups);
    return groups;
  };
}

function groupIn(row: Row) {
  const [task, rewards] = [text(row, "task"), json<number[]>(row, "rewards")];
  const metrics: Record<string, Record<number, number | null>> = json(row, "metrics", {});
  const entries = (metric: string) => Object.entries(metrics[metric] ?? {});
  return {
    values: (metric?: string) => ({
      task,
      values: metric === undefined ? rewards : entries(metric).flatMap(([, value]) => value ?? []),
    }),
    pairs: (metric: string) =>
      entries(metric).flatMap(([place, value]): Pair[] => {
        const reward = rewards[Number(place)];
        return reward === undefined || value === null ? [] : [[reward, value]];
      }),
  };
}

/** Counts the attempts and the groups of steps. */
function countsOf(database: Database, of: { id: string; split: string }, steps: number[]): Looked["counts"] {
  const where = "model_id = :id and split = :split and step in (select value from json_each(:steps))";
  const rows = database.all(
    `with alike as (select step, max(n) as same from (select step, count(*) as n from groups, json_each(said) one
         where ${where} and one.value is not null group by step, one.value) group by step)
     select sum(attempts + exceptions) as attempts, sum(exceptions) as thrown, sum(attempts > 1) as compared,
       sum(attempts > 1 and sd = 0) as flat, coalesce(same, 0) as same,
       sum((select count(value) from json_each(finishes) where value = 'length')) as cut,
       sum((select count(value) from json_each(finishes))) as answered,
       sum((select count(value) from json_each(said))) as said
     from groups left join alike using (step) where ${where} group by step order by step`,
    { ...of, steps: JSON.stringify(steps) },
  );
  const names: Counted[] = ["attempts", "thrown", "compared", "flat", "cut", "answered", "said", "same"];
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, number(row, name)])) as Record<Counted, number>);
}

/** The marks of a run, open ones first, with what was looked at and what could not be. */
export function readMarks({ database }: Context, { id }: { id: string }): Marks | "not-found" {
  if (!hasRun(database, id)) return "not-found";
  const [split = "train"] = splitsOf(database, id);
  const rows = database.all(
    "select step, marks from steps where model_id = :id and split = :split and marks is not null order by step",
    { id, split },
  );
  const found = new Map<string, OpenMark & { until: number | null }>();
  let before: string[] = [];
  for (const row of rows) {
    const step = number(row, "step");
    const open: OpenMark[] = json(row, "marks");
    const keys = open.map(({ rule, of, since }) => `${rule} ${since} ${of}`);
    for (const [at, key] of keys.entries()) {
      const mark = open[at];
      if (mark) found.set(key, { ...mark, until: null });
    }
    for (const key of before) {
      const mark = found.get(key);
      if (mark && !keys.includes(key)) found.set(key, { ...mark, until: step });
    }
    before = keys;
  }
  const marks = [...found.values()].toSorted(
    (a, b) => Number(a.until !== null) - Number(b.until !== null) || a.since - b.since,
  );
  const last = rows.slice(-counted).map((row) => number(row, "step"));
  return {
    split,
    steps: rows.length,
    data: marks.map(({ rule, of, since, until, figures }) => ({
      ...{ rule, title: rules[rule].title, of: of === "" ? null : of, since, until, figures },
      text: rules[rule].says(figures, of),
    })),
    not_looked: notLooked(database, id, { split, steps: rows.length, counts: countsOf(database, { id, split }, last) }),
  };
}

/** What no rule looks at, and what the rules could not look at, as sentences. */
function notLooked(
  database: Database,
  id: string,
  { split, steps, counts }: { split: string; steps: number; counts: Looked["counts"] },
): string[] {
  const none = (name: Counted) => counts.every((one) => one[name] === 0);
  const hasMetric = numberFrom(
    database,
    "select exists(select 1 from groups where model_id = :id and split = :split and metrics is not null)",
    { id, split },
  );
  const reported = numberFrom(
    database,
    `select exists(select 1 from jobs join events on job_id = jobs.id where model_id = :id and type = 'gradient_step')`,
    { id },
  );
  const sentences: [boolean, string][] = [
    [steps < 4, "whether the reward or a metric fell: fewer than four steps have attempts"],
    [none("compared"), "the signal: no group of the last steps has two rewards"],
    [none("said"), "the answers: no attempt of the last steps has one"],
    [none("answered"), "answers that were cut off: no answer of the last steps has a finish reason"],
    [hasMetric === 0, "metrics: no attempt has one"],
    [true, `loss, gradients, entropy and KL${reported === 0 ? ": no job reported them" : ""}`],
    [true, "how old the policy was, prompts that repeat, and held-out tasks against those that were trained on"],
  ];
  return sentences.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []));
}
