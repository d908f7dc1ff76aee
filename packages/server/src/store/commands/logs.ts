import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { LogMetrics } from "../../logs/log-metrics.ts";
import { bytes, number, text } from "../row.ts";
import type { Context } from "./context.ts";
import { oncePerKey, type IdempotencyKey } from "./idempotency.ts";

export interface NewLog extends LogMetrics {
  readonly entity: string;
  readonly modelId: string;
  readonly split: string;
  /** The request as it came: JSON in UTF-8. */
  readonly body: Uint8Array;
  readonly idempotency?: IdempotencyKey | undefined;
}

/** The answer to a log, as `LogResult` of the client has it. */
export interface LogRecord {
  metrics: Record<string, number>;
  step: number;
  ignored_metrics?: readonly string[];
}

/**
 * From this size on a body is compressed. Conversations repeat themselves: large ones take a fraction of the disk. For a
 * small one, compressing takes longer than all else that is done with it.
 */
const compressedFrom = 32 * 1024;
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** How what is compressed begins. JSON never does. */
const magic = [0x28, 0xb5, 0x2f, 0xfd];

/** Keeps a log, and its metrics at the newest checkpoint: those of a name replace the ones before. */
export function addLog(context: Context, input: NewLog): LogRecord | "not-found" | "key-reused" {
  const { database, now } = context;
  const { entity, modelId, split, body, metrics, ignored } = input;
  return oncePerKey<LogRecord, "not-found">(context, entity, input.idempotency, () => {
    const checkpoint = database.get(
      `select newest.id, newest.step, newest.metrics
       from models join checkpoints newest on newest.model_id = models.id and newest.deleted = 0
       where models.id = :modelId and models.entity = :entity order by newest.step desc limit 1`,
      { entity, modelId },
    );
    // There always is a newest checkpoint: without one, there is no model.
    if (checkpoint === undefined) return "not-found";
    const step = number(checkpoint, "step");
    // Merged here: SQLite's json_patch takes names for the same that are so up to a NUL.
    const merged = { ...JSON.parse(text(checkpoint, "metrics")), ...metrics };
    database.run("update checkpoints set metrics = :merged where id = :id", {
      id: text(checkpoint, "id"),
      merged: JSON.stringify(merged),
    });
    database.run(
      "insert into logs(model_id, step, split, created, body) values(:modelId, :step, :split, :now, :body)",
      { modelId, step, split, now, body: body.length < compressedFrom ? body : zstdCompressSync(body, fast) },
    );
    return { metrics, step, ...(ignored.length > 0 && { ignored_metrics: ignored }) };
  });
}

/** What was logged to a model, oldest first, from behind a place. */
export function listLogs(
  context: Context,
  { modelId, after, limit }: { modelId: string; after: number; limit: number },
): { seq: number; step: number; split: string; body: string }[] {
  const rows = context.database.all(
    "select * from logs where model_id = :modelId and seq > :after order by seq limit :limit",
    { modelId, after, limit },
  );
  return rows.map((row) => ({
    seq: number(row, "seq"),
    step: number(row, "step"),
    split: text(row, "split"),
    body: bodyOf(bytes(row, "body")),
  }));
}

/** The text of a body as it is kept. */
export function bodyOf(stored: Uint8Array): string {
  const isCompressed = magic.every((byte, index) => stored[index] === byte);
  const body = isCompressed ? zstdDecompressSync(stored, { chunkSize: 2 ** 20 }) : stored;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}
