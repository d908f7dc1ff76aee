import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { GroupFacts } from "../../console/group-facts.ts";
import { mostIgnored, type LogMetrics, mostNames } from "../../logs/log-metrics.ts";
import { bytes, number, numberFrom, text } from "../row.ts";
import { setMetrics } from "./checkpoints.ts";
import type { Context } from "./context.ts";
import { addLogged, startRows, type Started } from "./groups.ts";
import { oncePerKey, type IdempotencyKey } from "./idempotency.ts";

export interface NewLog extends LogMetrics {
  readonly entity: string;
  readonly modelId: string;
  readonly split: string;
  /** The request as it was received: JSON in UTF-8. */
  readonly body: Uint8Array;
  /** The facts of its first groups, as JSON. */
  readonly groups: string;
  /** Whether others follow by `groups.add`. */
  readonly more: boolean;
  readonly idempotency?: IdempotencyKey | undefined;
}

/** The result of a log; its fields are those of the client's `LogResult`. */
export interface LogRecord {
  metrics: Record<string, number>;
  step: number;
  ignored_metrics?: readonly string[];
}

/**
 * Bodies of this size or more are compressed. Conversations are repetitive, so large ones shrink to a fraction. For a
 * small one, compressing would take longer than everything else.
 */
const compressedFrom = 32 * 1024;
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** The first bytes of compressed data. JSON never starts with them. */
const magic = [0x28, 0xb5, 0x2f, 0xfd];

/** Stores a log with the rows of its first groups, and adds its metrics to those of the newest checkpoint; a new value replaces the old one. */
export function addLog(context: Context, input: NewLog): Started<LogRecord> | "not-found" | "key-reused" {
  const { database, now } = context;
  const { entity, modelId, split, body, metrics, ignored } = input;
  let rows: Started<LogRecord>["rows"];
  const answer = oncePerKey<LogRecord, "not-found">(context, entity, input.idempotency, () => {
    const checkpoint = database.get(
      `select newest.step from models join checkpoints newest on newest.model_id = models.id and newest.deleted = 0
       where models.id = :modelId and models.entity = :entity order by newest.step desc limit 1`,
      { entity, modelId },
    );
    // A newest checkpoint always exists, as long as its model does.
    if (checkpoint === undefined) return "not-found";
    const step = number(checkpoint, "step");
    const prefix = `${split}/`;
    const left = new Set(setMetrics(context, { modelId, step }, metrics, { prefix, most: mostNames }));
    const kept =
      left.size === 0 ? metrics : Object.fromEntries(Object.entries(metrics).filter(([name]) => !left.has(name)));
    const groups: GroupFacts[] = JSON.parse(input.groups);
    const seq = storeLog(context, { modelId, step, split, created: now, body }, groups);
    if (input.more) rows = startRows(database, { source: "log", seq }, groups.length);
    const all = [...ignored, ...[...left].map((name) => name.slice(prefix.length))].slice(0, mostIgnored);
    return { metrics: kept, step, ...(all.length > 0 && { ignored_metrics: all }) };
  });
  return typeof answer === "string" ? answer : { answer, rows };
}

/** Stores the body of a log with the rows of its groups, and returns its sequence number. */
export function storeLog(
  { database }: Context,
  { body, ...log }: Pick<NewLog, "modelId" | "split" | "body"> & { readonly step: number; readonly created: number },
  groups: readonly GroupFacts[],
): number {
  const seq = numberFrom(
    database,
    "insert into logs(model_id, step, split, created, body) values(:modelId, :step, :split, :created, :body) returning seq",
    { ...log, body: body.length < compressedFrom ? body : zstdCompressSync(body, fast) },
  );
  addLogged(database, { ...log, seq }, groups);
  return seq;
}

/** The logs of a model after a sequence number, oldest first. */
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

/** The text of a stored body. */
export function bodyOf(stored: Uint8Array): string {
  const isCompressed = magic.every((byte, index) => stored[index] === byte);
  const body = isCompressed ? zstdDecompressSync(stored, { chunkSize: 2 ** 20 }) : stored;
  // Without the byte order mark that earlier versions stored.
  return new TextDecoder().decode(body);
}
