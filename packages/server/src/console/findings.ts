import type { Findings } from "@trainyard/local";
import {
  doctor,
  mostGroups,
  window,
  type Diagnosis,
  type GroupFigures,
  type JobFigures,
} from "@trainyard/training/doctor";
import type { Context } from "../store/commands/context.ts";
import type { Database, Row } from "../store/database.ts";
import { number, numberOrNull, text, textOrNull } from "../store/row.ts";
import { hasRun, json } from "./context.ts";
import { summariesOf } from "./step-summary.ts";
import { splitsOf } from "./steps.ts";

/** What the doctor says about a run. */
export function readFindings(
  { database }: Context,
  { id, step }: { id: string; step?: number },
): Findings | "not-found" {
  if (!hasRun(database, id)) return "not-found";
  const { findings, verdict, unjudged } = diagnose(database, id, step);
  return { verdict, data: [...findings], unjudged: [...unjudged] };
}

/** Judges a run at a step, by the rows of its groups and the events of its jobs. */
export function diagnose(database: Database, id: string, at: number = Number.MAX_SAFE_INTEGER): Diagnosis {
  const [split = "train"] = splitsOf(database, id);
  const range = database.get("select min(lo) as low, max(hi) as high from steps where model_id = :id and step <= :at", {
    id,
    at,
  });
  const [low, high] = [range && numberOrNull(range, "low"), range && numberOrNull(range, "high")];
  const best = new Map<string, number>();
  for (const [step, { tasks }] of summariesOf(database, id, split))
    if (step <= at) for (const [task, hi] of tasks) best.set(task, Math.max(best.get(task) ?? hi, hi));
  return doctor({
    split,
    steps: stepsOf(database, { id, split, at }),
    val: split === "val" ? [] : stepsOf(database, { id, split: "val", at }),
    jobs: jobsOf(database, id, at),
    range: low == null || high == null ? null : { low, high },
    best,
  });
}

/** The newest steps of a split with their newest groups, oldest first. */
function stepsOf(database: Database, of: { id: string; split: string; at: number }) {
  const steps = database.all(
    `select step from steps where model_id = :id and split = :split and step <= :at order by step desc limit ${window}`,
    of,
  );
  return steps.toReversed().map((row) => {
    const step = number(row, "step");
    const groups = database.all(
      `select task, name, rewards, exceptions, tokens, metrics, marks, thrown, errors, answers, nats, lag from groups
       where model_id = :id and step = :step and split = :split order by key desc limit ${mostGroups}`,
      { id: of.id, split: of.split, step },
    );
    return { step, groups: groups.toReversed().map(figuresIn) };
  });
}

function figuresIn(row: Row): GroupFigures {
  const rewards: number[] = json(row, "rewards");
  const size = rewards.length + number(row, "exceptions");
  return {
    task: text(row, "task"),
    name: text(row, "name"),
    rewards,
    tokens: json<(number | null)[]>(row, "tokens").slice(0, rewards.length),
    metrics: json(row, "metrics", {}),
    marks: json(
      row,
      "marks",
      Array.from({ length: size }, () => 0),
    ),
    thrown: json(row, "thrown", []),
    errors: json(row, "errors", []),
    answers: number(row, "answers"),
    nats: numberOrNull(row, "nats"),
    lag: numberOrNull(row, "lag"),
  };
}

/** The newest jobs that ended, oldest first: those that created a step up to the next one, and the newest if it failed. */
function jobsOf(database: Database, id: string, at: number): JobFigures[] {
  const rows = database.all(
    `select jobs.id as id, jobs.status as status, error_message, jobs.step as step, made.step as made from jobs
       left join events ended on ended.job_id = jobs.id and ended.type = 'training_ended'
       left join checkpoints made on made.id = json_extract(ended.data, '$.checkpoint_id')
     where jobs.model_id = :id and (made.step <= :next or jobs.status = 'failed' and jobs.seq =
       (select max(seq) from jobs where model_id = :id)) order by jobs.seq desc limit ${window}`,
    { id, next: at + 1 },
  );
  return rows.toReversed().map((row): JobFigures => {
    const job = text(row, "id");
    const updates = database.all(
      "select data from events where job_id = :job and type = 'gradient_step' order by seq",
      { job },
    );
    return {
      id: job,
      step: numberOrNull(row, "made") ?? number(row, "step") + 1,
      updates: updates.map((update) => json(update, "data")),
      ...(text(row, "status") === "failed" && { failure: textOrNull(row, "error_message") ?? "" }),
    };
  });
}
