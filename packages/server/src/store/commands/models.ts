import type { Model } from "@trainyard/training";
import { visible } from "@trainyard/terminal/lines";
import { StoreRefusal } from "../refusal.ts";
import type { Row } from "../database.ts";
import { number, numberFrom, text, textOrNull } from "../row.ts";
import type { Context } from "./context.ts";
import { oncePerKey, type IdempotencyKey } from "./idempotency.ts";
import { failJobsOfModel } from "./job-ends.ts";

/** A model with all fields of the contract. */
export type ModelRecord = Required<Model>;

export interface NewModel {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  readonly baseModel: string;
  readonly returnExisting: boolean;
  readonly idempotency?: IdempotencyKey | undefined;
}

/**
 * Refuses a new name that looks like another one, or like a path.
 *
 * @throws StoreRefusal that says which characters are wrong, and the cure
 */
export function checkNames(names: Readonly<Record<"project" | "name", string>>): void {
  for (const [field, text] of Object.entries(names)) {
    const hidden = /[\p{Cf}\p{Zl}\p{Zp}]/u.exec(text)?.[0];
    const code = hidden?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    const fault = /^\.{1,2}$/.test(text)
      ? "is a path and no name. Choose a name with other characters."
      : code !== undefined
        ? `contains the invisible character U+${code}. Leave it out.`
        : text !== text.normalize()
          ? `must be in the Unicode form NFC, in which a name can be written in one way only: ${text.normalize()}.`
          : undefined;
    if (fault !== undefined) throw new StoreRefusal(`The ${field} ${visible(text)} ${fault}`);
  }
}

/**
 * Creates a model with its untrained checkpoint at step 0.
 *
 * @throws StoreRefusal if its name looks like another one
 */
export function createModel(context: Context, input: NewModel): ModelRecord | "name-taken" | "key-reused" {
  const { entity, project, name, baseModel } = input;
  return oncePerKey<ModelRecord, "name-taken">(context, entity, input.idempotency, () => {
    const existing = findModel(context, { entity, project, name });
    if (existing !== undefined) return input.returnExisting ? existing : "name-taken";
    checkNames({ project, name });
    const id = crypto.randomUUID();
    context.database.run(
      "insert into models(id, entity, project, name, base_model, created) values(:id, :entity, :project, :name, :baseModel, :now)",
      { id, entity, project, name, baseModel, now: context.now },
    );
    context.database.run("insert into checkpoints(id, model_id, step, created) values(:checkpoint, :id, 0, :now)", {
      checkpoint: crypto.randomUUID(),
      id,
      now: context.now,
    });
    return { id, entity, project, name, base_model: baseModel, run_id: null };
  });
}

/** The model with that name. */
export function findModel(
  { database }: Context,
  { entity, project, name }: { entity: string; project: string; name: string },
): ModelRecord | undefined {
  const sql = "select * from models where entity = :entity and project = :project and name = :name";
  const row = database.get(sql, { entity, project, name });
  return row && modelOf(row);
}

/** All models of an entity, oldest first. */
export function listModels(
  { database }: Context,
  { entity }: { entity: string },
): (ModelRecord & { created: number })[] {
  const rows = database.all("select * from models where entity = :entity order by created, id", { entity });
  return rows.map((row) => ({ ...modelOf(row), created: number(row, "created") }));
}

/** The model with that id, if it belongs to the entity. */
export function getModel(
  { database }: Context,
  { entity, id }: { entity: string; id: string },
): ModelRecord | undefined {
  const row = database.get("select * from models where id = :id and entity = :entity", { id, entity });
  return row && modelOf(row);
}

/** Deletes a model with its checkpoints and logs, and ends its jobs. Returns how many checkpoints were deleted. */
export function deleteModel(
  context: Context,
  input: { entity: string; id: string },
): { checkpoints: number; run: boolean } | "not-found" {
  const model = getModel(context, input);
  if (model === undefined) return "not-found";
  const listed = "select count(*) from checkpoints where model_id = :id and deleted = 0";
  const checkpoints = numberFrom(context.database, listed, { id: model.id });
  failJobsOfModel(context, model.id, "The model was deleted.");
  for (const source of ["log", "job"])
    context.database.run(
      `delete from underived where source = :source and seq in (select seq from ${source}s where model_id = :id)`,
      { source, id: model.id },
    );
  // The jobs stay readable; their training data are deleted.
  context.database.run("update jobs set request = '{}' where model_id = :id", { id: model.id });
  context.database.run("delete from models where id = :id", { id: model.id });
  return { checkpoints, run: model.run_id !== null };
}

function modelOf(row: Row): ModelRecord {
  return {
    id: text(row, "id"),
    entity: text(row, "entity"),
    project: text(row, "project"),
    name: text(row, "name"),
    base_model: text(row, "base_model"),
    run_id: textOrNull(row, "run_id"),
  };
}
