import type { Row } from "../database.ts";
import { number } from "../row.ts";
import type { Context } from "./context.ts";

/** The staged lines of an import, in order, a few at a time. */
export function* stagedRows({ database }: Context, importId: string): Generator<Row> {
  let after = -1;
  for (;;) {
    const rows = database.all(
      "select line, record from import_lines where import_id = :importId and line > :after order by line limit 500",
      { importId, after },
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = number(last, "line");
  }
}
