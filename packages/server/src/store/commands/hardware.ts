import { object } from "../row.ts";
import type { Context } from "./context.ts";

/** The options of a model in the order of their import, each as the contract describes it. */
export function listHardware({ database }: Context, { model }: { model: string }): unknown[] {
  const rows = database.all("select option from hardware where model = :model order by seq", { model });
  return rows.map((row) => object(row, "option"));
}
