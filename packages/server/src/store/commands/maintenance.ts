import type { Context } from "./context.ts";

/** Answers once all that was asked before is done. */
export function ping({ database }: Context, _input?: undefined): void {
  database.get("select 1");
}

/** Deletes everything. */
export function reset({ database }: Context, _input?: undefined): void {
  const tables =
    "events jobs logs checkpoints models idempotency feedback objects aliases hardware artifacts import_lines imports";
  for (const table of tables.split(" ")) database.run(`delete from ${table}`);
}
