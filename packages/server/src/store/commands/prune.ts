import { number, text } from "../row.ts";
import { keyOf } from "../group-key.ts";
import type { Context } from "./context.ts";

/** Which logs are old. */
export interface OldLogs {
  /** Only logs that were stored before this time, in milliseconds. */
  readonly before: number;
  /** Only those of an entity; of all if it is null. */
  readonly entity: string | null;
}

/** A number of logs of an entity, and the bytes that they take. */
export interface LogCount {
  readonly entity: string;
  readonly logs: number;
  readonly bytes: number;
}

/** Old logs, and whose they are. */
const old = `from logs join models on models.id = model_id
  where logs.created < :before and (:entity is null or entity = :entity)`;

/** Counts old logs by entity. */
export function countLogs({ database }: Context, { before, entity }: OldLogs): LogCount[] {
  const sql = `select entity, count(*) as logs, sum(length(body)) as bytes ${old} group by entity`;
  return database.all(sql, { before, entity }).map((row) => ({
    entity: text(row, "entity"),
    logs: number(row, "logs"),
    bytes: number(row, "bytes"),
  }));
}

/**
 * Deletes the oldest old logs with the rows of their groups, at most so many: the sums of their steps stay, and the metrics of
 * checkpoints. Few at a time, so that others are served in between, and a full disk has room for the transaction.
 */
export function pruneLogs({ database }: Context, { before, entity, most }: OldLogs & { most: number }): LogCount[] {
  const sql = `select seq, entity, length(body) as bytes ${old} order by seq limit :most`;
  const rows = database.all(sql, { before, entity, most });
  const counts = new Map<string, { entity: string; logs: number; bytes: number }>();
  for (const row of rows) {
    const [seq, of] = [number(row, "seq"), text(row, "entity")];
    const range = (at: number) => keyOf({ source: "log", seq: at, place: 0 });
    database.run("delete from groups where key >= :from and key < :to", { from: range(seq), to: range(seq + 1) });
    database.run("delete from underived where source = 'log' and seq = :seq", { seq });
    database.run("delete from logs where seq = :seq", { seq });
    const count = counts.get(of) ?? { entity: of, logs: 0, bytes: 0 };
    counts.set(of, count);
    count.logs++;
    count.bytes += number(row, "bytes");
  }
  return [...counts.values()];
}

/** The jobs that ended before a time, in milliseconds. */
export function endedJobs(
  { database }: Context,
  { before, entity }: OldLogs,
): { entity: string; modelId: string; jobId: string }[] {
  const rows = database.all(
    `select id, entity, model_id from jobs where status in ('completed', 'failed') and training_end < :before
       and (:entity is null or entity = :entity)`,
    { before, entity },
  );
  return rows.map((row) => ({ entity: text(row, "entity"), modelId: text(row, "model_id"), jobId: text(row, "id") }));
}
