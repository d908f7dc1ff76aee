import type { JobSummary, TimedEvent } from "@trainyard/local";
import { statusOf } from "../store/commands/jobs.ts";
import type { Row } from "../store/database.ts";
import { number, numberOrNull, text, textOrNull } from "../store/row.ts";
import { findRun, json, numbersIn, timeIn, type ConsoleContext, type ConsolePage } from "./context.ts";

/** The jobs of a run, newest first. */
export function listJobs(
  context: ConsoleContext,
  { id, after, limit }: { id: string; after?: string; limit: number },
): ConsolePage<JobSummary> | "not-found" | "unknown-cursor" {
  if (findRun(context, id) === undefined) return "not-found";
  let before = Number.MAX_SAFE_INTEGER;
  if (after !== undefined) {
    const cursor = context.data.get("select seq from jobs where id = :after and model_id = :id", { after, id });
    if (cursor === undefined) return "unknown-cursor";
    before = number(cursor, "seq");
  }
  const rows = context.data.all(
    `select seq, id, kind, status, attempts, training_start, training_end, error_message, created from jobs
     where model_id = :id and seq < :before order by seq desc limit :limit`,
    { id, before, limit: limit + 1 },
  );
  return { data: rows.slice(0, limit).map((row) => lineOf(context, id, row)), has_more: rows.length > limit };
}

/** A page of a job's events, oldest first. */
export function listJobEvents(
  context: ConsoleContext,
  { id, jobId, after, limit }: { id: string; jobId: string; after?: string; limit: number },
): ConsolePage<TimedEvent> | "not-found" | "unknown-cursor" {
  const { data } = context;
  if (data.get("select 1 from jobs where id = :jobId and model_id = :id", { jobId, id }) === undefined)
    return "not-found";
  let place = 0;
  if (after !== undefined) {
    const cursor = data.get("select seq from events where id = :after and job_id = :jobId", { after, jobId });
    if (cursor === undefined) return "unknown-cursor";
    place = number(cursor, "seq");
  }
  const rows = data.all("select * from events where job_id = :jobId and seq > :place order by seq limit :limit", {
    jobId,
    place,
    limit: limit + 1,
  });
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
  { data }: ConsoleContext,
  { id, jobId }: { id: string; jobId: string },
): { attempts: number } | "not-found" {
  const row = data.get("select attempts from jobs where id = :jobId and model_id = :id", { jobId, id });
  return row === undefined ? "not-found" : { attempts: number(row, "attempts") };
}

function lineOf({ data, index }: ConsoleContext, runId: string, row: Row): JobSummary {
  const id = text(row, "id");
  const indexed = index.get("select * from jobs where id = :id", { id });
  const updates = data.get("select count(*) as n from events where job_id = :id and type = 'gradient_step'", { id });
  const last = data.get(
    "select data from events where job_id = :id and type = 'gradient_step' order by seq desc limit 1",
    { id },
  );
  const made = data.get(
    `select step from checkpoints where id = (select json_extract(data, '$.checkpoint_id') from events
       where job_id = :id and type = 'training_ended')`,
    { id },
  );
  const status = statusOf(row);
  const next =
    status === "running"
      ? data.get("select last_step + 1 as step from models where id = :runId", { runId })
      : undefined;
  const step = made ?? next;
  const [start, end] = [numberOrNull(row, "training_start"), numberOrNull(row, "training_end")];
  return {
    id,
    kind: text(row, "kind") === "sft" ? "sft" : "rl",
    status,
    attempts: number(row, "attempts"),
    groups: indexed ? number(indexed, "groups") : 0,
    sequences: indexed ? number(indexed, "sequences") : 0,
    updates: updates ? number(updates, "n") : 0,
    made_step: step ? number(step, "step") : null,
    config: indexed ? json(indexed, "config") : {},
    last_update: last ? numbersIn(last, "data") : {},
    created_at: timeIn(row, "created"),
    started_at: timeIn(row, "training_start"),
    ended_at: timeIn(row, "training_end"),
    took_ms: start !== null && end !== null ? end - start : null,
    error_message: textOrNull(row, "error_message"),
  };
}
