import type { Unlisted } from "@trainyard/core";
import type { TrainingJob, TrainingJobEvent } from "@trainyard/training";
import type { GroupFacts } from "../../console/group-facts.ts";
import type { Database, Row } from "../database.ts";
import { number, numberFrom, numberOrNull, text, textOrNull } from "../row.ts";
import type { Context } from "./context.ts";
import { addTrained, startRows, type Started } from "./groups.ts";
import { oncePerKey, type IdempotencyKey } from "./idempotency.ts";
import { addEvent } from "./job-ends.ts";
import { getModel } from "./models.ts";
import { pageOf, type PageRecord, type PageRequest } from "./page.ts";

/** A job with all fields of the contract. */
export type JobRecord = Required<TrainingJob>;

export interface NewJob {
  readonly entity: string;
  readonly modelId: string;
  readonly kind: "rl" | "sft";
  /** The request as it was received: JSON in UTF-8. */
  readonly request: Uint8Array<ArrayBuffer>;
  /** The facts of its first groups, as JSON, and whether others follow by `groups.add`. */
  readonly groups: string;
  readonly more: boolean;
  /** How many groups and trajectories it has. */
  readonly counts: { readonly groups: number; readonly sequences: number };
  /** How to train, as JSON. */
  readonly config: string;
  /** The URL of the data of a fine-tuning job. A second job with the same URL is the same job, unless it failed. */
  readonly dataUrl?: string;
  readonly idempotency?: IdempotencyKey | undefined;
}

// Without the request, which can be as large as 128 MiB.
const columns = "id, status, training_start, training_end, error_message";

/** Queues a job after the model's other jobs. */
export function createJob(context: Context, input: NewJob): Started<JobRecord> | "not-found" | "key-reused" {
  const { entity, modelId, kind, request, dataUrl = null } = input;
  let rows: Started<JobRecord>["rows"];
  const answer = oncePerKey<JobRecord, "not-found">(context, entity, input.idempotency, () => {
    if (getModel(context, { entity, id: modelId }) === undefined) return "not-found";
    const same =
      dataUrl !== null &&
      context.database.get(
        `select ${columns} from jobs where model_id = :modelId and data_url = :dataUrl and status <> 'failed'
         order by seq desc limit 1`,
        { modelId, dataUrl },
      );
    if (same) return jobOf(same);
    const id = crypto.randomUUID();
    const groups: GroupFacts[] = JSON.parse(input.groups);
    const step = stepOf(context.database, { modelId, created: context.now });
    const shown = { step, ...input.counts, config: input.config };
    const seq = numberFrom(
      context.database,
      `insert into jobs(id, entity, model_id, kind, status, request, data_url, created, step, groups, sequences, config)
       values(:id, :entity, :modelId, :kind, 'queued', :request, :dataUrl, :now, :step, :groups, :sequences, :config)
       returning seq`,
      { id, entity, modelId, kind, request: new TextDecoder().decode(request), dataUrl, now: context.now, ...shown },
    );
    addTrained(context.database, { modelId, seq, step, created: context.now }, groups);
    if (input.more) rows = startRows(context.database, { source: "job", seq }, groups.length);
    return { id, status: "queued", training_start: null, training_end: null, error_message: null };
  });
  return typeof answer === "string" ? answer : { answer, rows };
}

/** The newest step when a job was created. In data without times, each job that completed before it counts as a step. */
export function stepOf(
  database: Database,
  { modelId, created, seq = 0 }: { modelId: string; created: number | null; seq?: number },
): number {
  const [sql, until] =
    created === null
      ? ["select count(*) from jobs where model_id = :modelId and seq < :until and status = 'completed'", seq]
      : ["select max(step) from checkpoints where model_id = :modelId and coalesce(created, 0) <= :until", created];
  return numberFrom(database, sql, { modelId, until });
}

/** The job with that id, if it belongs to the entity. */
export function getJob({ database }: Context, { entity, id }: { entity: string; id: string }): JobRecord | undefined {
  const row = database.get(`select ${columns} from jobs where id = :id and entity = :entity`, { id, entity });
  return row && jobOf(row);
}

/** A page of a job's events, oldest first. Events never change, so a page read twice is the same. */
export function listEvents(
  context: Context,
  { entity, jobId, after, limit }: PageRequest & { entity: string; jobId: string },
): PageRecord<TrainingJobEvent> | "not-found" | "unknown-cursor" {
  if (getJob(context, { entity, id: jobId }) === undefined) return "not-found";
  const rows = eventsAfter(context.database, { jobId, after, limit });
  return rows === "unknown-cursor" ? rows : pageOf(rows.map(eventOf), limit);
}

/** The rows of a job's events after one, and one more than the limit. */
export function eventsAfter(
  database: Database,
  { jobId, after, limit }: PageRequest & { jobId: string },
): Row[] | "unknown-cursor" {
  const cursor =
    after !== undefined &&
    database.get("select seq from events where id = :after and job_id = :jobId", { after, jobId });
  if (cursor === undefined) return "unknown-cursor";
  return database.all("select * from events where job_id = :jobId and seq > :place order by seq limit :most", {
    jobId,
    place: cursor ? number(cursor, "seq") : 0,
    most: limit + 1,
  });
}

/** Events of an attempt. */
interface NewEvents {
  readonly jobId: string;
  readonly attempt: number;
  /** How many events of the attempt come before them. */
  readonly place: number;
  readonly events: readonly { readonly type: string; readonly data: unknown }[];
}

/** Adds events of a running attempt, and the settings that its trainer reports; once, however often they are sent. False if that attempt is over. */
export function addJobEvents(context: Context, { jobId, attempt, place, events }: NewEvents): boolean {
  const { database } = context;
  if (!isRunning(context, jobId, attempt)) return false;
  const row = database.get("select received from jobs where id = :jobId", { jobId });
  if (row !== undefined && number(row, "received") > place) return true;
  for (const { type, data } of events) {
    if (type === "settings")
      database.run("update jobs set settings = :data where id = :jobId", { jobId, data: JSON.stringify(data) });
    else addEvent(context, jobId, type, data);
  }
  database.run("update jobs set received = received + :more where id = :jobId", { jobId, more: events.length });
  return true;
}

/** Whether an attempt at a job is still the current one, or is the one that completed it. */
export function isRunning({ database }: Context, jobId: string, attempt: number, status = "running"): boolean {
  const row = database.get("select 1 from jobs where id = :jobId and attempts = :attempt and status = :status", {
    jobId,
    attempt,
    status,
  });
  return row !== undefined;
}

/** Returned as it was stored, whatever its kind: the document validated it then, and knew that kind. */
function eventOf(row: Row): TrainingJobEvent {
  const attempt = numberOrNull(row, "attempt") ?? undefined;
  const event = { id: text(row, "id"), type: text(row, "type"), data: JSON.parse(text(row, "data")) };
  return { ...event, ...(attempt && { attempt }) } as TrainingJobEvent;
}

function jobOf(row: Row): JobRecord {
  return {
    id: text(row, "id"),
    status: statusOf(row),
    training_start: timeOf(row, "training_start"),
    training_end: timeOf(row, "training_end"),
    error_message: textOrNull(row, "error_message"),
  };
}

/** The statuses that the contract lists: a job of this server can have no other. */
type Status = Exclude<JobRecord["status"], Unlisted>;

const statuses: Record<Status, true> = { queued: true, running: true, completed: true, failed: true };

/** The status of a job's row. */
export function statusOf(row: Row): Status {
  const status = text(row, "status");
  if (isStatus(status)) return status;
  throw new TypeError(`A job cannot be ${status}.`);
}

function isStatus(status: string): status is Status {
  return Object.hasOwn(statuses, status);
}

function timeOf(row: Row, column: string): string | null {
  const time = numberOrNull(row, column);
  return time === null ? null : new Date(time).toISOString();
}
