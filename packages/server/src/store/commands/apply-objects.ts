import type { Row } from "../database.ts";
import { number, object, strings, text, textOrNull } from "../row.ts";
import type { Context } from "./context.ts";
import { StoreRefusal } from "../refusal.ts";
import { stagedRows } from "./staged-rows.ts";

/**
 * Applies lines of objects in order. A new content of an object becomes its next version. A known content, or a digest
 * alone, changes the names and the deletion of that version.
 */
export function applyObjects(context: Context, importId: string): void {
  for (const row of stagedRows(context, importId)) applyObject(context, row);
}

function applyObject({ database }: Context, line: Row): void {
  const record = object(line, "record");
  const of = { project: text(record, "project"), objectId: text(record, "object_id") };
  const digest = text(record, "digest");
  const existing = database.get(
    "select version_index from objects where project = :project and object_id = :objectId and digest = :digest",
    { ...of, digest },
  );
  let index: number;
  if (existing !== undefined) {
    index = number(existing, "version_index");
  } else if (record["val"] === null) {
    throw new StoreRefusal(
      `Line ${number(line, "line")} changes a version that ${of.objectId} does not have: ${digest}.`,
    );
  } else {
    const last = database.get(
      "select coalesce(max(version_index), -1) as last from objects where project = :project and object_id = :objectId",
      of,
    );
    index = (last === undefined ? -1 : number(last, "last")) + 1;
    database.run(
      `insert into objects(project, object_id, digest, version_index, created_at, kind, base_object_class,
         leaf_object_class, wb_user_id, val, size_bytes)
       values(:project, :objectId, :digest, :index, :created_at, :kind, :base_object_class, :leaf_object_class,
         :wb_user_id, :val, :size)`,
      {
        ...of,
        digest,
        index,
        created_at: text(record, "created_at"),
        kind: text(record, "kind"),
        base_object_class: textOrNull(record, "base_object_class"),
        leaf_object_class: textOrNull(record, "leaf_object_class"),
        wb_user_id: textOrNull(record, "wb_user_id"),
        val: text(record, "val"),
        size: new TextEncoder().encode(text(record, "val")).length,
      },
    );
  }
  database.run(
    `update objects set deleted_at = :deletedAt, tags = coalesce(:tags, tags)
     where project = :project and object_id = :objectId and version_index = :index`,
    { ...of, index, deletedAt: textOrNull(record, "deleted_at"), tags: textOrNull(record, "tags") },
  );
  // A name belongs to one version: given again, it moves.
  for (const alias of record["aliases"] === null ? [] : strings(record, "aliases")) {
    database.run(
      `insert into aliases(project, object_id, alias, version_index) values(:project, :objectId, :alias, :index)
       on conflict do update set version_index = excluded.version_index`,
      { ...of, alias, index },
    );
  }
}
