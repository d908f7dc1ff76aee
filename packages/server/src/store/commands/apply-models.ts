import { isObject, type JsonObject } from "@trainyard/core/validation";
import { StoreRefusal } from "../refusal.ts";
import { number, numberOrNull, object, text, textOrNull } from "../row.ts";
import { setMetrics } from "./checkpoints.ts";
import type { Context } from "./context.ts";
import { checkNames, findModel } from "./models.ts";
import { stagedRows } from "./staged-rows.ts";

/** Applies lines of models, with their checkpoints. */
export function applyModels(context: Context, importId: string): void {
  for (const row of stagedRows(context, importId)) applyModel(context, object(row, "record"));
}

function applyModel(context: Context, record: JsonObject): void {
  const { database, now } = context;
  const [id, entity, project, name] = ["id", "entity", "project", "name"].map((column) => text(record, column));
  if (id === undefined || entity === undefined || project === undefined || name === undefined) return;
  const named = findModel(context, { entity, project, name });
  if (named === undefined) checkNames({ project, name });
  if (named !== undefined && named.id !== id)
    throw new StoreRefusal(`The project ${project} has a model ${name} already, with the id ${named.id}.`);
  database.run(
    `insert into models(id, entity, project, name, base_model, run_id, created)
     values(:id, :entity, :project, :name, :baseModel, :runId, :now)
     on conflict(id) do update set entity = excluded.entity, project = excluded.project, name = excluded.name,
       base_model = excluded.base_model, run_id = excluded.run_id`,
    { id, entity, project, name, baseModel: text(record, "base_model"), runId: textOrNull(record, "run_id"), now },
  );
  for (const checkpoint of itemsOf(record, "checkpoints")) {
    const [checkpointId, step] = [text(checkpoint, "id"), number(checkpoint, "step")];
    const other = "select 1 from checkpoints where id = :checkpointId and (model_id, step) is not (:id, :step)";
    if (database.get(other, { checkpointId, id, step }) !== undefined)
      throw new StoreRefusal(`The id ${checkpointId} belongs to another checkpoint.`);
    database.run(
      `insert into checkpoints(id, model_id, step) values(:checkpointId, :id, :step)
       on conflict(model_id, step) do update set id = excluded.id, deleted = 0`,
      { checkpointId, id, step },
    );
    database.run("delete from metrics where model_id = :id and step = :step", { id, step });
    setMetrics(context, { modelId: id, step }, checkpoint["metrics"] as Record<string, number>);
  }
  database.run(
    `update models set last_step = max(last_step, (select max(step) from checkpoints where model_id = :id))
     where id = :id`,
    { id },
  );
}

/** Applies lines of jobs that have ended, with their events. */
export function applyJobs(context: Context, importId: string): void {
  for (const row of stagedRows(context, importId)) applyJob(context, object(row, "record"));
}

function applyJob({ database, now }: Context, record: JsonObject): void {
  const [id, modelId] = [text(record, "id"), text(record, "model_id")];
  const model = database.get("select entity from models where id = :modelId", { modelId });
  if (model === undefined) throw new StoreRefusal(`There is no model ${modelId}. Import the job's model first.`);
  const existing = database.get("select status from jobs where id = :id", { id });
  if (existing !== undefined && ["queued", "running"].includes(text(existing, "status")))
    throw new StoreRefusal(`The job ${id} has not ended, so it cannot be replaced.`);
  const [status, ended] = [text(record, "status"), numberOrNull(record, "training_end")];
  // A job that has completed began at its end at the latest.
  const start = numberOrNull(record, "training_start") ?? (status === "completed" ? (ended ?? now) : null);
  if (existing !== undefined)
    database.run("update models set replaced = replaced + 1 where id = :modelId", { modelId });
  database.run("delete from events where job_id = :id", { id });
  database.run("delete from jobs where id = :id", { id });
  database.run(
    `insert into jobs(id, entity, model_id, kind, status, attempts, request, data_url, training_start, training_end,
       error_message)
     values(:id, :entity, :modelId, :kind, :status, 1, '{}', :dataUrl, :start, :end, :message)`,
    {
      id,
      entity: text(model, "entity"),
      modelId,
      kind: text(record, "kind"),
      status,
      dataUrl: textOrNull(record, "training_data_url"),
      start,
      // A job that has ended has an end, and one that failed a reason.
      end: ended ?? start ?? now,
      message: textOrNull(record, "error_message") ?? (status === "failed" ? "The import gives no reason." : null),
    },
  );
  for (const event of itemsOf(record, "events")) {
    database.run("insert into events(id, job_id, type, data, attempt) values(:event, :id, :type, :data, :attempt)", {
      event: text(event, "id"),
      id,
      type: text(event, "type"),
      data: JSON.stringify(event["data"]),
      attempt: event["attempt"] === undefined ? null : number(event, "attempt"),
    });
  }
}

function itemsOf(record: JsonObject, property: string): JsonObject[] {
  const items = record[property];
  return Array.isArray(items) ? items.filter(isObject) : [];
}
