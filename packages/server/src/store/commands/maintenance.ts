import { number, numberOrNull, text } from "../row.ts";
import type { Context } from "./context.ts";
import { mayRun } from "./job-attempts.ts";

/** Reads from the file. Because commands run in order, it returns once all earlier ones are done. */
export function ping({ database }: Context, _input?: undefined): void {
  database.get("select at from checks");
}

/** Writes a row and reads it back, to test whether the storage accepts writes. */
export function check({ database, now }: Context, _input?: undefined): void {
  const at = Math.trunc(now);
  database.run("insert into checks(id, at) values(1, :at) on conflict(id) do update set at = excluded.at", { at });
  const row = database.get("select at from checks");
  if (row === undefined || number(row, "at") !== at) throw new Error("A row that was written does not read the same.");
}

/** Figures of the store's content. */
export interface StoreFacts {
  /** How many jobs there are, by state and entity. */
  readonly jobs: readonly { readonly state: string; readonly entity: string; readonly count: number }[];
  /** Seconds since the oldest queued job was created that may run; 0 if there is none. */
  readonly queueSeconds: number;
  readonly bytes: number;
  /** The part of `bytes` that is unused. */
  readonly freeBytes: number;
}

/** Counts the store's content. */
export function facts({ database, now }: Context, _input?: undefined): StoreFacts {
  const counted = database.all("select status, entity, count(*) as jobs from jobs group by status, entity");
  const oldest = database.get(`select min(created) as created from jobs as job where status = 'queued' and ${mayRun}`);
  const size = database.get(
    "select page_size, page_count, freelist_count from pragma_page_size, pragma_page_count, pragma_freelist_count",
  );
  const pages = (column: string) => (size ? number(size, column) * number(size, "page_size") : 0);
  return {
    jobs: counted.map((row) => ({
      state: text(row, "status"),
      entity: text(row, "entity"),
      count: number(row, "jobs"),
    })),
    queueSeconds: Math.max(0, now - ((oldest && numberOrNull(oldest, "created")) ?? now)) / 1000,
    bytes: pages("page_count"),
    freeBytes: pages("freelist_count"),
  };
}

/** The models with their entities, and the bytes that entities hold in logs, requests of jobs, objects and feedback. */
export function usage(
  { database }: Context,
  _input?: undefined,
): { models: { id: string; entity: string }[]; entities: { entity: string; bytes: number }[] } {
  const ofProject = "substr(project, 1, instr(project, '/') - 1)";
  const entities = database.all(
    `select entity, sum(bytes) as bytes from (
       select entity, octet_length(body) as bytes from logs join models on models.id = model_id
       union all select entity, octet_length(request) from jobs
       union all select ${ofProject}, octet_length(val) from objects
       union all select ${ofProject}, octet_length(payload) from feedback) group by entity`,
  );
  const models = database.all("select id, entity from models");
  return {
    models: models.map((row) => ({ id: text(row, "id"), entity: text(row, "entity") })),
    entities: entities.map((row) => ({ entity: text(row, "entity"), bytes: number(row, "bytes") })),
  };
}

/** Deletes everything. Returns the ids of the deleted models, whose files are outside of the store, and the numbers of logs and jobs. */
export function reset({ database }: Context, _input?: undefined): { models: string[]; logs: number; jobs: number } {
  const models = database.all("select id from models").map((row) => text(row, "id"));
  const tables =
    "groups steps underived events jobs logs checkpoints models idempotency feedback objects aliases hardware artifacts import_lines imports";
  const deleted = new Map(tables.split(" ").map((table) => [table, database.run(`delete from ${table}`)]));
  return { models, logs: deleted.get("logs") ?? 0, jobs: deleted.get("jobs") ?? 0 };
}
