import { importKindOf, type ImportKind } from "../../import/kinds.ts";
import { StoreRefusal } from "../refusal.ts";
import { number, numberFrom, text } from "../row.ts";
import { applyArtifacts } from "./apply-artifacts.ts";
import { applyLogs } from "./apply-logs.ts";
import { applyJobs, applyModels } from "./apply-models.ts";
import { applyObjects } from "./apply-objects.ts";
import type { Context } from "./context.ts";

const appliers: Record<ImportKind, (context: Context, id: string) => void> = {
  models: applyModels,
  jobs: applyJobs,
  feedback: applyFeedback,
  objects: applyObjects,
  hardware: applyHardware,
  artifacts: applyArtifacts,
  logs: applyLogs,
};

/** More lines than a file has: those of a file of logs that was imported before, so that none of it is stored again. */
const allLines = Number.MAX_SAFE_INTEGER;

/**
 * Starts or resumes an import. Returns how many lines it has already.
 *
 * @throws StoreRefusal if it was begun with another kind
 */
export function beginImport(context: Context, { id, kind }: { id: string; kind: ImportKind; entity?: string }): number {
  const { database, now } = context;
  const begun = linesOf(context, { id, kind });
  if (begun !== undefined) return begun;
  const lines = database.get("select 1 from imported where import_id = :id", { id }) === undefined ? 0 : allLines;
  database.run("insert into imports(id, kind, lines, created) values(:id, :kind, :lines, :now)", {
    id,
    kind,
    lines,
    now,
  });
  return lines;
}

/** Lines `from` up to `to` of an import; blank ones are left out of `records`. */
export interface ImportChunk {
  readonly id: string;
  readonly kind: ImportKind;
  /** Whose turn it takes. */
  readonly entity: string;
  readonly from: number;
  readonly to: number;
  readonly records: readonly { readonly line: number; readonly record: string }[];
}

/** How many lines an import has; undefined before it was begun. Its kind is that of its beginning. */
function linesOf({ database }: Context, { id, kind }: { id: string; kind: ImportKind }): number | undefined {
  const row = database.get("select kind, lines from imports where id = :id", { id });
  if (row === undefined) return undefined;
  const begun = text(row, "kind");
  if (begun === kind) return number(row, "lines");
  throw new StoreRefusal(`This import was begun with the kind ${begun}, not ${kind}. Begin another one for ${kind}.`);
}

/**
 * Stages lines until the import ends. Returns how many it has; a chunk that does not start there is ignored.
 *
 * @throws StoreRefusal if it was begun with another kind
 */
export function stageImport(context: Context, { id, kind, from, to, records }: ImportChunk): number | "not-begun" {
  const { database } = context;
  const lines = linesOf(context, { id, kind });
  if (lines === undefined) return "not-begun";
  if (lines !== from) return lines;
  for (const { line, record } of records) {
    database.run("insert into import_lines(import_id, line, record) values(:id, :line, :record)", { id, line, record });
  }
  database.run("update imports set lines = :to where id = :id", { id, to });
  return to;
}

/**
 * Applies all lines in one transaction, and deletes the import. Returns how many lines there were.
 *
 * @param entity whose data it may change; `*` for all
 * @throws StoreRefusal if a line belongs to another entity, or contradicts existing data
 */
export function finishImport(
  context: Context,
  { id, entity }: { id: string; entity: string },
): { kind: ImportKind; records: number } | "not-begun" {
  const { database } = context;
  const row = database.get("select kind from imports where id = :id", { id });
  if (row === undefined) return "not-begun";
  const kind = importKindOf(text(row, "kind"));
  if (kind === undefined) throw new TypeError(`Nothing can be imported as ${text(row, "kind")}.`);
  const foreign = entity === "*" ? undefined : database.get(foreignLine, { id, entity });
  if (foreign !== undefined) {
    const cure = "Import it with the control key, or a key of * with the scope admin.";
    throw new StoreRefusal(`Line ${number(foreign, "line")} does not belong to the entity ${entity}. ${cure}`);
  }
  appliers[kind](context, id);
  const records = numberFrom(database, "select count(*) from import_lines where import_id = :id", { id });
  abortImport(context, { id });
  return { kind, records };
}

/** The first line that names another entity or none, or that changes a model or a job of another one. */
const foreignLine = `select line from import_lines
  left join models model on model.id = coalesce(record ->> 'model_id', record ->> 'id')
  left join jobs job on job.id = record ->> 'id'
  where import_id = :id and (:entity is not coalesce(record ->> 'entity', model.entity,
      substr(record ->> 'project', 1, instr(record ->> 'project', '/') - 1))
    or model.entity <> :entity or job.entity <> :entity)
  order by line limit 1`;

/** Deletes an import and its staged lines. */
export function abortImport({ database }: Context, { id }: { id: string }): void {
  database.run("delete from imports where id = :id", { id });
}

function applyFeedback({ database }: Context, id: string): void {
  database.run(
    `insert into feedback(project, id, created_at, feedback_type, trigger_ref, payload)
     select record ->> 'project', record ->> 'id', record ->> 'created_at', record ->> 'feedback_type',
       record ->> 'trigger_ref', jsonb(record -> 'payload')
     from import_lines where import_id = :id order by line
     on conflict(project, id) do update set created_at = excluded.created_at,
       feedback_type = excluded.feedback_type, trigger_ref = excluded.trigger_ref, payload = excluded.payload`,
    { id },
  );
}

function applyHardware({ database }: Context, id: string): void {
  database.run(
    `insert into hardware(model, id, option)
     select record ->> 'model', record ->> 'id', record ->> 'option'
     from import_lines where import_id = :id order by line
     on conflict(model, id) do update set option = excluded.option`,
    { id },
  );
}
