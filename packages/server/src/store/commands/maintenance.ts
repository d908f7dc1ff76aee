import { number, text } from "../row.ts";
import type { Context } from "./context.ts";

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
  /** How many jobs there are, by state. */
  readonly jobs: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** The part of `bytes` that is unused. */
  readonly freeBytes: number;
}

/** Counts the store's content. */
export function facts({ database }: Context, _input?: undefined): StoreFacts {
  const jobs = { queued: 0, running: 0, completed: 0, failed: 0 };
  const counted = database.all("select status, count(*) as jobs from jobs group by status");
  const size = database.get(
    "select page_size, page_count, freelist_count from pragma_page_size, pragma_page_count, pragma_freelist_count",
  );
  const pages = (column: string) => (size ? number(size, column) * number(size, "page_size") : 0);
  return {
    jobs: { ...jobs, ...Object.fromEntries(counted.map((row) => [text(row, "status"), number(row, "jobs")])) },
    bytes: pages("page_count"),
    freeBytes: pages("freelist_count"),
  };
}

/** Deletes everything. Returns the ids of the deleted models, whose files are outside of the store. */
export function reset({ database }: Context, _input?: undefined): { models: string[] } {
  const models = database.all("select id from models").map((row) => text(row, "id"));
  const tables =
    "groups steps underived events jobs logs checkpoints models idempotency feedback objects aliases hardware artifacts import_lines imports";
  for (const table of tables.split(" ")) database.run(`delete from ${table}`);
  return { models };
}
