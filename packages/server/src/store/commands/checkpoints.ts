import type { Checkpoint } from "@trainyard/training";
import { number, numberFrom, text } from "../row.ts";
import type { Context } from "./context.ts";
import { findModel, getModel, type ModelRecord } from "./models.ts";
import { pageOf, type PageRecord, type PageRequest } from "./page.ts";

/** A checkpoint with all fields of the contract. */
export type CheckpointRecord = Required<Checkpoint>;

export interface CheckpointPageRequest extends PageRequest {
  readonly entity: string;
  readonly modelId: string;
  readonly order: "asc" | "desc";
}

/**
 * A page of a model's checkpoints by step. It starts after the cursor, even if the checkpoint of the cursor was
 * deleted.
 */
export function listCheckpoints(
  context: Context,
  { entity, modelId, order, after, limit }: CheckpointPageRequest,
): PageRecord<CheckpointRecord> | "not-found" | "unknown-cursor" {
  if (getModel(context, { entity, id: modelId }) === undefined) return "not-found";
  let step = order === "asc" ? -1 : Number.MAX_SAFE_INTEGER;
  if (after !== undefined) {
    const cursor = context.database.get("select step from checkpoints where id = :after and model_id = :modelId", {
      after,
      modelId,
    });
    if (cursor === undefined) return "unknown-cursor";
    step = number(cursor, "step");
  }
  const rows = context.database.all(
    `select * from checkpoints where model_id = :modelId and deleted = 0
       and step ${order === "asc" ? ">" : "<"} :step order by step ${order} limit :limit`,
    { modelId, step, limit: limit + 1 },
  );
  const items = rows.map((row) => ({ id: text(row, "id"), step: number(row, "step") }));
  return pageOf(
    items.map((item) => ({ ...item, metrics: metricsOf(context, { modelId, step: item.step }) })),
    limit,
  );
}

/** Deletes checkpoints by step: all of those that exist, or none if the newest is among them. */
export function deleteCheckpoints(
  context: Context,
  { entity, modelId, steps }: { entity: string; modelId: string; steps: readonly number[] },
): { deleted: number[]; notFound: number[] } | "not-found" | "newest" {
  if (getModel(context, { entity, id: modelId }) === undefined) return "not-found";
  const newest = newestStep(context, modelId);
  if (steps.includes(newest)) return "newest";
  const deleted: number[] = [];
  const notFound: number[] = [];
  for (const step of new Set(steps)) {
    const changes = context.database.run(
      "update checkpoints set deleted = 1 where model_id = :modelId and step = :step and deleted = 0",
      { modelId, step },
    );
    (changes === 0 ? notFound : deleted).push(step);
  }
  return { deleted, notFound };
}

/** The step of a model's newest checkpoint. It always exists, because the newest checkpoint cannot be deleted. */
export function newestStep({ database }: Context, modelId: string): number {
  const row = database.get(
    "select step from checkpoints where model_id = :modelId and deleted = 0 order by step desc limit 1",
    { modelId },
  );
  if (row === undefined) throw new Error(`The model ${modelId} has no checkpoint.`);
  return number(row, "step");
}

/** A model by name, with one of its checkpoints: the newest if no step is given. */
export function findModelStep(
  context: Context,
  { step, ...name }: { entity: string; project: string; name: string; step: number | undefined },
): { model: ModelRecord; step: number } | undefined {
  const model = findModel(context, name);
  if (model === undefined) return undefined;
  if (step === undefined) return { model, step: newestStep(context, model.id) };
  const found = context.database.get(
    "select 1 from checkpoints where model_id = :modelId and step = :step and deleted = 0",
    { modelId: model.id, step },
  );
  return found && { model, step };
}

interface Place {
  readonly modelId: string;
  readonly step: number;
}

function metricsOf({ database }: Context, at: Place): Record<string, number> {
  const rows = database.all("select name, value from metrics where model_id = :modelId and step = :step", { ...at });
  return Object.fromEntries(rows.map((row) => [JSON.parse(text(row, "name")), number(row, "value")]));
}

/**
 * Sets metrics of a checkpoint, and returns the names of those that are left out.
 *
 * @param limit how many names with a prefix, which ends in `/`, a checkpoint has at most; new ones above it are left out
 */
export function setMetrics(
  { database }: Context,
  { modelId, step }: Place,
  metrics: Readonly<Record<string, number>>,
  limit?: { readonly prefix: string; readonly most: number },
): string[] {
  let names = Object.keys(metrics);
  let left: string[] = [];
  if (limit !== undefined) {
    const from = JSON.stringify(limit.prefix).slice(0, -1);
    const had = `select count(*) from metrics where model_id = :modelId and step = :step and name >= :from and name < :to`;
    const room = limit.most - numberFrom(database, had, { modelId, step, from, to: `${from.slice(0, -1)}0` });
    if (names.length > room) {
      const known = "select 1 from metrics where model_id = :modelId and step = :step and name = :key";
      const isNew = (name: string) => database.get(known, { modelId, step, key: JSON.stringify(name) }) === undefined;
      left = names.filter(isNew).slice(Math.max(0, room));
      const without = new Set(left);
      names = names.filter((name) => !without.has(name));
    }
  }
  // Few rows in one statement, because each statement costs more than its rows.
  for (let at = 0; at < names.length; at += 8) {
    const some = names.slice(at, at + 8);
    database.insert(
      `insert into metrics(model_id, step, name, value) values${some.map(() => "(?, ?, ?, ?)").join()}
       on conflict do update set value = excluded.value`,
      some.flatMap((name) => [modelId, step, JSON.stringify(name), metrics[name] ?? null]),
    );
  }
  return left;
}
