import type { ObjSchema } from "@trainyard/auxiliary";
import type { Row } from "../database.ts";
import { number, strings, text, textOrNull } from "../row.ts";
import type { Context } from "./context.ts";

/** An object as it is answered, but for its value, which is JSON text; absent if it was not requested, as the names are. */
export type ObjectRecord = Omit<ObjSchema, "val"> & { readonly val?: string };

export interface ObjectQuery {
  readonly project: string;
  readonly objectId: string;
  /** `latest`, `v` and a number, a content hash, or an alias; tried in this order. */
  readonly digest: string;
  readonly withVal: boolean;
  readonly withNames: boolean;
}

/**
 * The version of an object that a digest identifies. The result distinguishes a deleted version from one that never
 * existed.
 */
export function readObject(
  { database }: Context,
  { project, objectId, digest, withVal, withNames }: ObjectQuery,
): ObjectRecord | { deletedAt: string } | undefined {
  const object = { project, objectId };
  const newest = database.get(
    `select version_index from objects where project = :project and object_id = :objectId and deleted_at is null
     order by version_index desc limit 1`,
    object,
  );
  const newestIndex = newest === undefined ? -1 : number(newest, "version_index");
  const columns = `seq, project, object_id, digest, version_index, created_at, kind, base_object_class,
    leaf_object_class, wb_user_id, size_bytes, deleted_at, tags${withVal ? ", val" : ""}`;
  const find = (condition: string, value: string | number): Row | undefined =>
    database.get(`select ${columns} from objects where project = :project and object_id = :objectId and ${condition}`, {
      ...object,
      value,
    });
  const version = /^v(\d{1,15})$/.exec(digest)?.[1];
  const aliased = `version_index = (select version_index from aliases
     where aliases.project = :project and aliases.object_id = :objectId and alias = :value)`;
  // If every version is deleted, `latest` is a deleted one.
  const lastOfAll = "version_index > :value order by version_index desc limit 1";
  const row =
    (digest === "latest"
      ? find(newest === undefined ? lastOfAll : "version_index = :value", newestIndex)
      : undefined) ??
    (version === undefined ? undefined : find("version_index = :value", Number(version))) ??
    find("digest = :value", digest) ??
    find(aliased, digest);
  if (row === undefined) return undefined;
  const deletedAt = textOrNull(row, "deleted_at");
  if (deletedAt !== null) return { deletedAt };
  const index = number(row, "version_index");
  const isLatest = index === newestIndex;
  const names = database.all(
    `select alias from aliases where project = :project and object_id = :objectId and version_index = :index
     order by alias`,
    { ...object, index },
  );
  const aliases = names.map((name) => text(name, "alias"));
  return {
    project_id: project,
    object_id: objectId,
    created_at: text(row, "created_at"),
    digest: text(row, "digest"),
    version_index: index,
    is_latest: isLatest ? 1 : 0,
    kind: text(row, "kind"),
    base_object_class: textOrNull(row, "base_object_class"),
    leaf_object_class: textOrNull(row, "leaf_object_class"),
    wb_user_id: textOrNull(row, "wb_user_id"),
    ...(withVal && { val: text(row, "val") }),
    size_bytes: number(row, "size_bytes"),
    deleted_at: null,
    ...(withNames && { tags: strings(row, "tags"), aliases: isLatest ? ["latest", ...aliases] : aliases }),
  };
}
