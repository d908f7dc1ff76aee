import type { Marks } from "@trainyard/local";
import type { Context } from "../../store/commands/context.ts";
import type { Database } from "../../store/database.ts";
import { number, numberFrom, numberOrNull, text, textOrNull } from "../../store/row.ts";
import { hasRun, json } from "../context.ts";
import { summariesOf, Sum } from "../step-summary.ts";
import { splitsOf } from "../steps.ts";
import { rules, type Counts, type Figures, type Group, type Looked, type RuleName } from "./rules.ts";
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

/** A mark ends when its condition is false for the third step. Ten steps are called the first ones. */
const [mostQuiet, firstSteps] = [3, 10];

/** Asks the rules about the next run of which a step has changed: about that step, and those after it, which remember the marks. */
export function askMarks({ database }: Context, { after }: { after: string }): AskedStep[] {
  const row = database.get(
    `select model_id from steps where marks is null and model_id > :after and not exists(select 1 from underived)
     order by model_id limit 1`,
    { after },
  );
  if (row === undefined) return [];
  const id = text(row, "model_id");
  return splitsOf(database, id).flatMap((split) => askSplit(database, { id, split }));
}

/** Stores what the rules said, unless the step has changed since. */
export function keepMarks({ database }: Context, steps: readonly AskedStep[]): void {
  for (const step of steps)
    database.run(
      "update steps set marks = :marks where model_id = :id and split = :split and step = :step and groups = :groups",
      { ...step },
    );
}

function askSplit(database: Database, of: { id: string; split: string }): AskedStep[] {
  const where = "where model_id = :id and split = :split";
  const rows = database.all(`select step, groups, lo, hi, marks from steps ${where} order by step`, of);
  const first = rows.findIndex((row) => row["marks"] === null);
  if (first < 0) return [];
  const steps = rows.map((row) => number(row, "step"));
  const summaries = summariesOf(database, of.id, of.split);
  const [reward, tasks, metrics] = [new Series(), new Map<string, Series>(), new Map<string, Series>()];
  const known = new Map<number, Group[]>();
  const groupsAt = (step: number): Group[] => {
    const groups =
      known.get(step) ??
      database
        .all(`select task, rewards, metrics from groups ${where} and step = :step order by key`, { ...of, step })
        .map((row) => ({ task: text(row, "task"), rewards: json(row, "rewards"), metrics: json(row, "metrics", {}) }));
    // The best and the newest steps of a few figures are asked again at the next step.
    if (known.size > 50) known.clear();
    known.set(step, groups);
    return groups;
  };
  let [low, high] = [0, 1];
  let open: readonly OpenMark[] = first === 0 ? [] : json(rows[first - 1] ?? {}, "marks", []);
  return rows.flatMap((row, at) => {
    const [step = 0, summary] = [steps[at], summaries.get(steps[at] ?? 0)];
    low = Math.min(low, numberOrNull(row, "lo") ?? low);
    high = Math.max(high, numberOrNull(row, "hi") ?? high);
    const add = (all: Map<string, Series>, sums: ReadonlyMap<string, Sum> = new Map()) =>
      new Map(
        Array.from(sums, ([name, sum]) => {
          const series = (all.get(name) ?? new Series()).add(step, sum);
          all.set(name, series);
          return [name, series];
        }),
      );
    reward.add(step, Sum.of([...(summary?.tasks.values() ?? [])]));
    const here = { tasks: add(tasks, summary?.tasks), metrics: add(metrics, summary?.metrics) };
    if (at < first) return [];
    const counts = countsOf(database, of, steps.slice(Math.max(0, at - 2), at + 1));
    const looked = { ...here, span: high - low, reward, counts, first: steps.slice(0, firstSteps), groupsAt };
    open = next(open, step, looked);
    const marks = JSON.stringify(open);
    return marks === textOrNull(row, "marks") ? [] : [{ ...of, step, groups: number(row, "groups"), marks }];
  });
}

/** The marks that are open after a step. */
function next(open: readonly OpenMark[], step: number, looked: Looked): OpenMark[] {
  return (Object.keys(rules) as RuleName[]).flatMap((rule) => {
    const answers = rules[rule].look(looked);
    const before = new Map(open.flatMap((mark) => (mark.rule === rule ? [[mark.of, mark]] : [])));
    return [...new Set([...before.keys(), ...answers.keys()])].flatMap((of): OpenMark[] => {
      const [mark, answer] = [before.get(of), answers.get(of)];
      if (answer) return [{ rule, of, since: mark?.since ?? step, figures: answer, quiet: 0 }];
      const quiet = (mark?.quiet ?? 0) + (answer === false ? 1 : 0);
      return mark === undefined || quiet >= mostQuiet ? [] : [{ ...mark, quiet }];
    });
  });
}

/** Counts the attempts and the groups of steps. */
function countsOf(database: Database, of: { id: string; split: string }, steps: number[]): Counts[] {
  const where = "model_id = :id and split = :split and step in (select value from json_each(:steps))";
  return database.all(
    `with alike as (select step, max(n) as same from (select step, count(*) as n from groups, json_each(said) one
         where ${where} and one.value is not null group by step, one.value) group by step)
     select sum(attempts + exceptions) as attempts, sum(exceptions) as thrown, sum(attempts > 1) as compared,
       sum(attempts > 1 and sd = 0) as flat, coalesce(same, 0) as same,
       sum((select count(*) from json_each(finishes) where value = 'length')) as cut,
       sum((select count(value) from json_each(finishes))) as answered,
       sum((select count(value) from json_each(said))) as said
     from groups left join alike using (step) where ${where} group by step order by step`,
    { ...of, steps: JSON.stringify(steps) },
  ) as unknown as Counts[];
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
  for (const [at, row] of rows.entries()) {
    const { [at + 1]: after } = rows;
    for (const mark of json<OpenMark[]>(row, "marks"))
      found.set(`${mark.rule} ${mark.since} ${mark.of}`, { ...mark, until: after ? number(after, "step") : null });
  }
  const marks = [...found.values()].toSorted((a, b) => +(a.until !== null) - +(b.until !== null) || a.since - b.since);
  const last = rows.slice(-3).map((row) => number(row, "step"));
  const counts = countsOf(database, { id, split }, last);
  const has = (sql: string) => numberFrom(database, `select exists(select 1 from ${sql})`, { id }) === 1;
  const none = (name: keyof Counts) => counts.every((one) => one[name] === 0);
  const reported = has("jobs join events on job_id = jobs.id where model_id = :id and type = 'gradient_step'");
  const missing = [
    rows.length < 4 && "whether the reward or a metric fell: fewer than four steps have attempts",
    none("compared") && "the signal: no group of the last steps has two rewards",
    none("said") && "the answers: no attempt of the last steps has one",
    none("answered") && "answers that were cut off: no answer of the last steps has a finish reason",
    !has("groups where model_id = :id and metrics is not null") && "metrics: no attempt has one",
    `loss, gradients, entropy and KL${reported ? "" : ": no job reported them"}`,
    "how old the policy was, prompts that repeat, and held-out tasks against those that were trained on",
  ];
  return {
    split,
    steps: rows.length,
    data: marks.map(({ rule, of, since, until, figures }) => {
      const title = rule.replaceAll("-", " ");
      // A task has a name beside the text that identifies it.
      const task = database.get("select name from groups where model_id = :id and task = :of limit 1", { id, of });
      const says = rules[rule].says(figures, rule === "reward-fell" && task ? text(task, "name") : of);
      return { rule, title, of: of || null, since, until, figures, text: says };
    }),
    not_looked: missing.filter((what) => what !== false),
  };
}
