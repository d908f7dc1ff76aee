import { text } from "../row.ts";
import type { Context } from "./context.ts";

/** Answers once all that was asked before is done. */
export function ping({ database }: Context, _input?: undefined): void {
  database.get("select 1");
}

/** Deletes everything. Tells which models there were: their files are elsewhere. */
export function reset({ database }: Context, _input?: undefined): { models: string[] } {
  const models = database.all("select id from models").map((row) => text(row, "id"));
  const tables =
    "events jobs logs checkpoints models idempotency feedback objects aliases hardware artifacts import_lines imports";
  for (const table of tables.split(" ")) database.run(`delete from ${table}`);
  return { models };
}
