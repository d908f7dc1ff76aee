import type { JobSummary, Page, TimedEvent } from "@trainyard/console";
import type { Context } from "../store/commands/context.ts";
import { eventsAfter, statusOf } from "../store/commands/jobs.ts";
import type { Row } from "../store/database.ts";
import { number, numberOrNull, text, textOrNull } from "../store/row.ts";
import { hasRun, json, timeIn } from "./context.ts";

/** The jobs of a run, newest first. */
export function listJobs(
  { database }: Context,
  { id, after, limit }: { id: string; after?: string; limit: number },
): Page<JobSummary> | "not-found" | "unknown-cursor" {
  if (!hasRun(database, id)) return "not-found";
  let before = Number.MAX_SAFE_INTEGER;
  if (after !== undefined) {
    const cursor = database.get("select seq from jobs where id = :after and model_id = :id", { after, id });
    if (cursor === undefined) return "unknown-cursor";
    before = number(cursor, "seq");
  }
  const rows = database.all(
    `select jobs.*, (select count(*) from events where job_id = jobs.id and type = 'gradient_step') as updates,
       (select data from events where job_id = jobs.id and type = 'gradient_step' order by seq desc limit 1) as last,
       iif(status = 'running', (select last_step + 1 from models where id = :id), (select checkpoints.step
         from events join checkpoints on checkpoints.id = json_extract(data, '$.checkpoint_id')
         where job_id = jobs.id and type = 'training_ended')) as made
     from (select seq, id, kind, status, attempts, training_start, training_end, error_message, created, groups, sequences,
       config, settings from jobs where model_id = :id and seq < :before order by seq desc limit :limit) jobs order by seq desc`,
    { id, before, limit: limit + 1 },
  );
  return { data: rows.slice(0, limit).map(lineOf), has_more: rows.length > limit };
}

/** A page of a job's events, oldest first. */
export function listJobEvents(
  { database }: Context,
  { id, jobId, after, limit }: { id: string; jobId: string; after?: string; limit: number },
): Page<TimedEvent> | "not-found" | "unknown-cursor" {
  if (database.get("select 1 from jobs where id = :jobId and model_id = :id", { jobId, id }) === undefined)
    return "not-found";
  const rows = eventsAfter(database, { jobId, after, limit });
  if (rows === "unknown-cursor") return rows;
  return {
    data: rows.slice(0, limit).map((row) => ({
      id: text(row, "id"),
      type: text(row, "type"),
      data: json(row, "data"),
      created_at: timeIn(row, "created"),
    })),
    has_more: rows.length > limit,
  };
}

/** The number of attempts of a job; undefined if the run has no such job. */
export function countAttempts(
  { database }: Context,
  { id, jobId }: { id: string; jobId: string },
): { attempts: number } | "not-found" {
  const row = database.get("select attempts from jobs where id = :jobId and model_id = :id", { jobId, id });
  return row === undefined ? "not-found" : { attempts: number(row, "attempts") };
}

function lineOf(row: Row): JobSummary {
  const [start, end] = [numberOrNull(row, "training_start"), numberOrNull(row, "training_end")];
  return {
    id: text(row, "id"),
    kind: text(row, "kind") === "sft" ? "sft" : "rl",
    status: statusOf(row),
    attempts: number(row, "attempts"),
    groups: number(row, "groups"),
    sequences: number(row, "sequences"),
    updates: number(row, "updates"),
    made_step: numberOrNull(row, "made"),
    settings: settingsOf(row),
    last_update: json(row, "last", {}),
    created_at: timeIn(row, "created"),
    started_at: timeIn(row, "training_start"),
    took_ms: start !== null && end !== null ? end - start : null,
    error_message: textOrNull(row, "error_message"),
  };
}

/** The settings that the trainer reported; else those that were sent. */
export function settingsOf(row: Row): JobSummary["settings"] {
  if (row["settings"] !== null) return json(row, "settings");
  const sent = Object.entries(json<object>(row, "config")).filter(([, value]) => value !== null);
  return Object.fromEntries(sent.map(([name, value]) => [name, { value, origin: "sent" }]));
}
