import type { Run, RunDetail } from "@trainyard/local";
import { number, numberOrNull, text } from "../store/row.ts";
import { findRun, timeOf, type ConsoleContext, type ConsolePage, type RunKey } from "./context.ts";

const sparkPoints = 60;

/** The runs, newest first. */
export function listRuns(
  context: ConsoleContext,
  { q, project, after, limit }: { q?: string; project?: string; after?: string; limit: number },
): ConsolePage<Run> | "unknown-cursor" {
  const all = context.data.all("select id, name, project from models order by created desc, id");
  const start = after === undefined ? 0 : all.findIndex((row) => row["id"] === after) + 1;
  if (after !== undefined && start === 0) return "unknown-cursor";
  const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.slice(start).filter((row) => {
    const names = `${text(row, "project")}/${text(row, "name")}`.toLowerCase();
    return (project === undefined || row["project"] === project) && words.every((word) => names.includes(word));
  });
  const data = found.slice(0, limit).flatMap((row) => {
    const run = findRun(context, text(row, "id"));
    return run ? [recordOf(context, run)] : [];
  });
  return { data, has_more: found.length > limit };
}

/** One run with its counts, splits and range. */
export function getRun(
  context: ConsoleContext,
  { id, progress }: { id: string; progress: { done: number; of: number } },
): RunDetail | "not-found" {
  const run = findRun(context, id);
  if (run === undefined) return "not-found";
  const { data, index, steps } = context;
  const splits = steps.splits(run.key);
  const counts = steps.countsOf(run.key);
  const metrics = new Set<string>();
  // Only the first and the last step are read, because a run hardly ever logs a metric only in between.
  for (const split of splits) {
    const of = steps.stepsOf(run.key, split);
    for (const step of [of[0], of.at(-1)]) {
      if (step !== undefined) for (const name of steps.of(run, split, step).metrics.keys()) metrics.add(name);
    }
  }
  const tasks = index.get("select count(distinct task) as tasks from groups where run = :run", { run: run.key });
  const jobs = data.get("select count(*) as jobs from jobs where model_id = :id", { id });
  return {
    run: recordOf(context, run, counts),
    splits,
    metrics: [...metrics].toSorted(),
    training_metrics: trainingMetrics(context, id),
    groups: counts.groups,
    tasks: tasks ? number(tasks, "tasks") : 0,
    jobs: jobs ? number(jobs, "jobs") : 0,
    range: steps.range(run),
    indexed: progress,
  };
}

function recordOf(context: ConsoleContext, run: RunKey, { rollouts } = context.steps.countsOf(run.key)): Run {
  const { data } = context;
  const { id } = run;
  const model = data.get("select * from models where id = :id", { id });
  if (model === undefined) throw new Error(`The model ${id} was deleted while it was read.`);
  const step = data.get("select max(step) as step from checkpoints where model_id = :id and deleted = 0", { id });
  return {
    id,
    entity: text(model, "entity"),
    project: text(model, "project"),
    name: text(model, "name"),
    base_model: text(model, "base_model"),
    created_at: timeOf(numberOrNull(model, "created")),
    step: step ? (numberOrNull(step, "step") ?? 0) : 0,
    ...activityOf(context, id),
    rollouts,
    reward: sparkOf(context, run),
  };
}

function activityOf({ data }: ConsoleContext, id: string): { state: Run["state"]; last_at: string | null } {
  const open = data.all("select distinct status from jobs where model_id = :id and status in ('queued', 'running')", {
    id,
  });
  const job = data.get(
    `select jobs.seq, status, created, training_start, training_end,
       (select max(created) from events where job_id = jobs.id) as event
     from jobs where model_id = :id order by seq desc limit 1`,
    { id },
  );
  const log = data.get("select created from logs where model_id = :id order by seq desc limit 1", { id });
  const logged = log ? number(log, "created") : null;
  const ended = job ? numberOrNull(job, "training_end") : null;
  const times = [
    logged,
    ...(job ? ["created", "training_start", "training_end", "event"].map((c) => numberOrNull(job, c)) : []),
  ];
  const present = times.filter((time) => time !== null);
  const last_at = present.length === 0 ? null : timeOf(Math.max(...present));
  const states = new Set(open.map((row) => text(row, "status")));
  if (states.has("running")) return { state: "training", last_at };
  if (states.has("queued")) return { state: "queued", last_at };
  const failed =
    job !== undefined && job["status"] === "failed" && !(logged !== null && ended !== null && logged > ended);
  return { state: failed ? "failed" : "idle", last_at };
}

function sparkOf({ steps }: ConsoleContext, run: RunKey): number[] {
  const [split] = steps.splits(run.key);
  if (split === undefined) return [];
  const means = steps.meansOf(run.key, split);
  const size = Math.ceil(means.length / sparkPoints) || 1;
  return Array.from({ length: Math.ceil(means.length / size) }, (_, at) => {
    const some = means.slice(at * size, (at + 1) * size);
    return some.reduce((sum, mean) => sum + mean, 0) / some.length;
  });
}

function trainingMetrics({ data }: ConsoleContext, id: string): string[] {
  const row = data.get(
    `select data from events where type = 'gradient_step' and job_id =
       (select jobs.id from jobs join events on events.job_id = jobs.id and events.type = 'gradient_step'
        where model_id = :id order by jobs.seq desc limit 1) order by seq desc limit 1`,
    { id },
  );
  return row === undefined ? [] : Object.keys(JSON.parse(text(row, "data")) as object).toSorted();
}
