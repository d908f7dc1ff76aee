import type { Row } from "../database.ts";
import { number, numberFrom, text } from "../row.ts";
import { newestStep } from "./checkpoints.ts";
import type { Context } from "./context.ts";
import { addEvent, failJobRow } from "./job-ends.ts";
import { isRunning } from "./jobs.ts";
import { getModel, type ModelRecord } from "./models.ts";

/** A job with a running attempt. */
export interface Attempt {
  readonly jobId: string;
  readonly kind: "rl" | "sft";
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly model: ModelRecord;
  /** The newest checkpoint, which training starts from. */
  readonly step: number;
  /** The step of the checkpoint that the attempt makes. */
  readonly nextStep: number;
  /** How many events of this attempt are stored; more than 0 only if it began under a previous server. */
  readonly received: number;
}

const attemptLimit = 3;
/** No earlier job of the model is unfinished. */
export const mayRun = `not exists(select 1 from jobs as earlier where earlier.model_id = job.model_id
  and earlier.status in ('queued', 'running') and earlier.seq < job.seq)`;
// Without the request, which can be as large as 128 MiB.
const columns = "id, entity, model_id, kind, attempts, received";

/**
 * Starts a queued job. The jobs of one model run one after the other. The entity with the fewest running jobs comes first, then
 * the one whose last start is longest ago, then the oldest job: nobody waits for all jobs of somebody else.
 *
 * @param started the entities of the jobs that were started, the latest last
 */
export function claimJob(context: Context, { started }: { started: readonly string[] }): Attempt | undefined {
  const { database, now } = context;
  const row = database.get(
    `select ${columns} from jobs as job
     left join (select entity as busy, count(*) as running from jobs where status = 'running' group by entity)
       on busy = entity
     left join (select value as earlier, key as place from json_each(:started)) on earlier = entity
     where status = 'queued' and ${mayRun}
     order by coalesce(running, 0), coalesce(place, -1), seq limit 1`,
    { started: JSON.stringify(started) },
  );
  if (row === undefined) return undefined;
  const attempt = number(row, "attempts") + 1;
  database.run(
    `update jobs set status = 'running', attempts = :attempt, received = 0,
     training_start = coalesce(training_start, :now) where id = :jobId`,
    { attempt, now, jobId: text(row, "id") },
  );
  return attemptOf(context, { ...row, attempts: attempt, received: 0 });
}

/** The attempts that were running when the server ended, oldest job first. */
export function runningJobs(context: Context, _input?: undefined): Attempt[] {
  const rows = context.database.all(`select ${columns} from jobs where status = 'running' order by seq`);
  return rows.map((row) => attemptOf(context, row));
}

function attemptOf(context: Context, row: Row): Attempt {
  const jobId = text(row, "id");
  const model = getModel(context, { entity: text(row, "entity"), id: text(row, "model_id") });
  if (model === undefined) throw new Error(`The job ${jobId} has not ended, and its model is gone.`);
  return {
    jobId,
    kind: text(row, "kind") === "sft" ? "sft" : "rl",
    attempt: number(row, "attempts"),
    model,
    step: newestStep(context, model.id),
    nextStep: numberFrom(context.database, "select last_step from models where id = :id", { id: model.id }) + 1,
    received: number(row, "received"),
  };
}

/**
 * Completes a job: its checkpoint is listed before its last event appears. Repeating it changes nothing. False if the
 * attempt is over without it.
 */
export function completeJob(
  context: Context,
  { jobId, attempt, data }: { jobId: string; attempt: number; data: unknown },
): boolean {
  const { database, now } = context;
  if (!isRunning(context, jobId, attempt)) return isRunning(context, jobId, attempt, "completed");
  database.run("update models set last_step = last_step + 1 where id = (select model_id from jobs where id = :jobId)", {
    jobId,
  });
  const id = crypto.randomUUID();
  database.run(
    `insert into checkpoints(id, model_id, step, created)
     select :id, models.id, last_step, :now from models join jobs on jobs.model_id = models.id where jobs.id = :jobId`,
    { id, jobId, now },
  );
  // Names the checkpoint of this job, because a later job may have made a newer one before somebody reads the event.
  addEvent(context, jobId, "training_ended", { ...Object(data), checkpoint_id: id });
  database.run("update jobs set status = 'completed', training_end = :now where id = :jobId", { now, jobId });
  return true;
}

/** Fails a job. False if the attempt is over. */
export function failJob(
  context: Context,
  { jobId, attempt, message }: { jobId: string; attempt: number; message: string },
): boolean {
  if (!isRunning(context, jobId, attempt)) return false;
  failJobRow(context, jobId, message);
  return true;
}

/** Queues the jobs again that were running when the server ended. A job that was interrupted three times fails. */
export function recoverJobs(context: Context): void {
  const rows = context.database.all(
    "select id from jobs where status = 'running' and attempts - stops >= :attemptLimit order by seq",
    { attemptLimit },
  );
  for (const row of rows) {
    const message = `The server ended ${attemptLimit} times while this job ran. Find out why, then create the job again.`;
    failJobRow(context, text(row, "id"), message);
  }
  context.database.run("update jobs set status = 'queued' where status = 'running'");
}

/** Notes that a closing server ends the running attempts, so that they do not count as interruptions. */
export function stopJobs({ database }: Context, _input?: undefined): void {
  database.run("update jobs set stops = stops + 1 where status = 'running'");
}

/** Queues a job again whose attempt was ended by a closing server. */
export function releaseJob({ database }: Context, { jobId, attempt }: { jobId: string; attempt: number }): void {
  database.run("update jobs set status = 'queued' where id = :jobId and attempts = :attempt and status = 'running'", {
    jobId,
    attempt,
  });
}
