import type { RunDetail } from "@trainyard/console";
import type { Run, RunPage, RunsListQuery } from "@trainyard/local";
import type { Context } from "../store/commands/context.ts";
import type { Database, Params, Row } from "../store/database.ts";
import { number, numberFrom, numberOrNull, text, textOrNull } from "../store/row.ts";
import { finite, hasRun, json, timeIn, timeOf, type Asked } from "./context.ts";
import { summariesOf } from "./step-summary.ts";
import { rangeOf, splitOrder, splitsOf } from "./steps.ts";

const sparkPoints = 60;

/** The mean rewards by step of a run's first split, of the run that a statement reads as `models`. */
const meansOf = `from steps where model_id = models.id and attempts > 0
  and split = (select split from steps where model_id = models.id order by ${splitOrder} limit 1)`;
/** How many marks are open at its newest step. */
const open = `(select json_array_length(marks) ${meansOf.replace("attempts > 0", "true")} order by step desc limit 1)`;
const best = `(select max(total / attempts) ${meansOf})`;
const last = `(select total / attempts ${meansOf} order by step desc limit 1)`;

/** What each order compares, smallest first. Runs without a reward come last. */
const orders: Readonly<Record<NonNullable<RunsListQuery["sort"]>, string>> = {
  "-created": "-models.created",
  "-best": `coalesce(-${best}, 9e999)`,
  best: `coalesce(${best}, 9e999)`,
  "-last": `coalesce(-${last}, 9e999)`,
  last: `coalesce(${last}, 9e999)`,
};

/** The runs. */
export function listRuns(
  { database }: Context,
  { q = "", sort, limit, ...asked }: Omit<Asked<RunsListQuery>, "id"> & { entity?: string },
): RunPage | "unknown-cursor" {
  if (asked.after !== undefined && !hasRun(database, asked.after)) return "unknown-cursor";
  const order = orders[sort];
  const words = JSON.stringify(q.split(/\s+/).filter(Boolean));
  const which = `(:project is null or project = :project) and (:entity is null or entity = :entity)
    and (:after is null or (${order}, id) > (select ${order}, id from models where id = :after))
    and not exists(select 1 from json_each(:words) where instr(lower(project || '/' || name), lower(value)) = 0)
    order by ${order}, id limit :limit`;
  const params = { project: null, entity: null, after: null, ...asked, words, limit: limit + 1 };
  const rows = readRuns(database, which, params, order);
  return { data: rows.slice(0, limit).map(recordOf), has_more: rows.length > limit };
}

/** One run with its counts, splits and range. */
export function getRun({ database }: Context, { id }: { id: string }): RunDetail | "not-found" {
  const [row] = readRuns(database, "id = :id", { id });
  if (row === undefined) return "not-found";
  const splits = splitsOf(database, id);
  const steps = splits.flatMap((split) => [...summariesOf(database, id, split).values()]);
  return {
    run: recordOf(row),
    splits,
    groups: steps.reduce((sum, { groups }) => sum + groups, 0),
    tasks: new Set(steps.flatMap(({ tasks }) => [...tasks.keys()])).size,
    jobs: numberFrom(database, "select count(*) from jobs where model_id = :id", { id }),
    range: rangeOf(database, id),
  };
}

/** Reads runs with one statement, however many they are. */
function readRuns(database: Database, which: string, params: Params, order = "models.id"): Row[] {
  return database.once(
    `select models.*,
       (select max(step) from checkpoints where model_id = models.id and deleted = 0) as step,
       (select created from logs where model_id = models.id order by seq desc limit 1) as logged,
       (select max(created) from events where job_id = job.id) as event,
       exists(select 1 from jobs where model_id = models.id and status = 'running') as running,
       exists(select 1 from jobs where model_id = models.id and status = 'queued') as queued,
       (select coalesce(sum(attempts + exceptions), 0) from steps where model_id = models.id) as rollouts,
       (select json_group_array(total / attempts order by step) ${meansOf}) as means, ${best} as best, ${last} as last, ${open} as open,
       job.status as status, job.created as job_created, job.training_start as started, job.training_end as ended
     from (select * from models where ${which}) models
     left join jobs job on job.seq = (select max(seq) from jobs where model_id = models.id)
     order by ${order}, models.id`,
    params,
  );
}

function recordOf(row: Row): Run {
  const times = ["logged", "job_created", "started", "ended", "event"].flatMap((name) => numberOrNull(row, name) ?? []);
  return {
    id: text(row, "id"),
    entity: text(row, "entity"),
    project: text(row, "project"),
    name: text(row, "name"),
    base_model: text(row, "base_model"),
    created_at: timeIn(row, "created"),
    step: numberOrNull(row, "step") ?? 0,
    state: stateOf(row),
    last_at: times.length === 0 ? null : timeOf(Math.max(...times)),
    rollouts: number(row, "rollouts"),
    // The sum of rewards near the largest number is infinite.
    reward: sparkOf(json<number[]>(row, "means").filter(Number.isFinite)),
    best: finite(numberOrNull(row, "best") ?? Number.NaN),
    last: finite(numberOrNull(row, "last") ?? Number.NaN),
    marks: numberOrNull(row, "open") ?? 0,
  };
}

function stateOf(row: Row): Run["state"] {
  if (number(row, "running") === 1) return "training";
  if (number(row, "queued") === 1) return "queued";
  const [logged, ended] = [numberOrNull(row, "logged"), numberOrNull(row, "ended")];
  const wentOn = logged !== null && ended !== null && logged > ended;
  return textOrNull(row, "status") === "failed" && !wentOn ? "failed" : "idle";
}

/** At most 60 values for a small chart, each the mean of those that it stands for. */
export function sparkOf(means: readonly number[]): number[] {
  const size = Math.ceil(means.length / sparkPoints) || 1;
  return Array.from({ length: Math.ceil(means.length / size) }, (_, at) => {
    const some = means.slice(at * size, (at + 1) * size);
    return some.reduce((sum, mean) => sum + mean / some.length, 0);
  });
}
