import type { RunKeys } from "@trainyard/console";
import type { Context } from "../store/commands/context.ts";
import { number } from "../store/row.ts";
import type { Value } from "./attempt-field.ts";
import { hasRun, json } from "./context.ts";

/** How many values of a key are counted, and how many are named. */
const [mostCounted, mostNamed] = [1000, 8];

type Values = Readonly<Record<string, Value>>;

/** What the attempts of a run can be filtered and grouped by. */
export function readKeys({ database }: Context, { id }: { id: string }): RunKeys | "not-found" {
  if (!hasRun(database, id)) return "not-found";
  const keys = new Map<string, Map<string, number>>();
  const metrics = new Set<string>();
  const full = new Set<string>();
  const add = (values: Values | null | undefined, times: number) => {
    for (const [name, value] of Object.entries(values ?? {})) {
      if (value === null) continue;
      const counts = keys.get(name) ?? new Map<string, number>();
      keys.set(name, counts);
      const text = String(value);
      if (counts.size < mostCounted || counts.has(text)) counts.set(text, (counts.get(text) ?? 0) + times);
      else full.add(name);
    }
  };
  const rows = database.all(
    `select attempts + exceptions as size, metadata, group_metadata, group_metrics,
       (select json_group_array(key) from json_each(metrics)) as names
     from groups where model_id = :id order by key desc`,
    { id },
  );
  for (const row of rows) {
    for (const values of json<(Values | null)[]>(row, "metadata", [])) add(values, 1);
    add(json<Values>(row, "group_metadata", {}), number(row, "size"));
    for (const name of json<string[]>(row, "names", [])) metrics.add(name);
    for (const name of Object.keys(json<Values>(row, "group_metrics", {}))) metrics.add(name);
  }
  return {
    metadata: [...keys]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, counts]) => ({
        name,
        values: counts.size,
        more: full.has(name),
        top: [...counts]
          .toSorted(([a, many], [b, others]) => others - many || (a < b ? -1 : 1))
          .slice(0, mostNamed)
          .map(([value]) => value),
      })),
    metrics: [...metrics].toSorted(),
  };
}
