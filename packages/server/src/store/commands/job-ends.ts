import { text } from "../row.ts";
import type { Context } from "./context.ts";

/** Adds an event to a job. A second `training_started`, after a crash, is ignored. */
export function addEvent({ database, now }: Context, jobId: string, type: string, data: unknown): void {
  if (type === "training_started") {
    const earlier = database.get("select 1 from events where job_id = :jobId and type = :type", { jobId, type });
    if (earlier !== undefined) return;
  }
  // A job that fails before its first attempt has none.
  database.run(
    `insert into events(id, job_id, type, data, created, attempt)
     values(:id, :jobId, :type, :data, :now, nullif((select attempts from jobs where id = :jobId), 0))`,
    { id: crypto.randomUUID(), jobId, type, data: JSON.stringify(data), now },
  );
}

/** Fails a job. */
export function failJobRow(context: Context, jobId: string, message: string): void {
  addEvent(context, jobId, "training_failed", { error_message: message });
  context.database.run(
    "update jobs set status = 'failed', training_end = :now, error_message = :message where id = :jobId",
    { now: context.now, message, jobId },
  );
}

/** Fails every job of a model that has not ended. */
export function failJobsOfModel(context: Context, modelId: string, message: string): void {
  const rows = context.database.all(
    "select id from jobs where model_id = :modelId and status in ('queued', 'running') order by seq",
    { modelId },
  );
  for (const row of rows) failJobRow(context, text(row, "id"), message);
}
