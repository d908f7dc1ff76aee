import { object } from "../row.ts";
import type { Context } from "./context.ts";

/** The options of a model, in the order in which they were imported; each is what the contract lists. */
export function listHardware({ database }: Context, { model }: { model: string }): unknown[] {
  const rows = database.all("select option from hardware where model = :model order by seq", { model });
  return rows.map((row) => object(row, "option"));
}
