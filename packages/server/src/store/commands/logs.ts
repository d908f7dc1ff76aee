import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { bytes, number, object, text } from "../row.ts";
import { newestStep } from "./checkpoints.ts";
import type { Context } from "./context.ts";
import { oncePerKey, type IdempotencyKey } from "./idempotency.ts";
import { getModel } from "./models.ts";

export interface NewLog {
  readonly entity: string;
  readonly modelId: string;
  readonly split: string;
  /** The request as it came. */
  readonly body: string;
  /** What was calculated from it, by full name. */
  readonly metrics: Record<string, number>;
  readonly idempotency?: IdempotencyKey | undefined;
}

export interface LogRecord {
  metrics: Record<string, number>;
  step: number;
}

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Keeps a log, and its metrics at the newest checkpoint: those of a name replace the ones before. */
export function addLog(context: Context, input: NewLog): LogRecord | "not-found" | "key-reused" {
  const { database, now } = context;
  const { entity, modelId, split, body, metrics } = input;
  return oncePerKey<LogRecord, "not-found">(context, entity, input.idempotency, () => {
    if (getModel(context, { entity, id: modelId }) === undefined) return "not-found";
    const step = newestStep(context, modelId);
    const row = database.get("select metrics from checkpoints where model_id = :modelId and step = :step", {
      modelId,
      step,
    });
    const all = { ...(row && object(row, "metrics")), ...metrics };
    database.run("update checkpoints set metrics = :all where model_id = :modelId and step = :step", {
      all: JSON.stringify(all),
      modelId,
      step,
    });
    database.run(
      "insert into logs(model_id, step, split, created, body) values(:modelId, :step, :split, :now, :body)",
      // Conversations repeat themselves: they take a fraction of the disk, and of the time to reach it.
      { modelId, step, split, now, body: zstdCompressSync(body, fast) },
    );
    return { metrics, step };
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
    body: zstdDecompressSync(bytes(row, "body")).toString(),
  }));
}
