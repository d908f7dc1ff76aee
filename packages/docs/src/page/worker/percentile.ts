import type { Database, Sqlite3Static } from "@sqlite.org/sqlite-wasm";

/**
 * Adds `percentile(value, p)`, which Node's build of SQLite has and this one lacks: linear interpolation between the
 * two nearest values.
 */
export function percentile({ capi }: Sqlite3Static, database: Database): void {
  const groups = new Map<unknown, { readonly values: number[]; p: number }>();
  database.createFunction({
    name: "percentile",
    arity: 2,
    deterministic: true,
    xStep: (context: number, value: unknown, p: unknown) => {
      // Nulls do not count. A group of nulls only has no percentile.
      if (value === null) return;
      const key = capi.sqlite3_js_aggregate_context(context, 8);
      const group = groups.get(key) ?? { values: [], p: Number(p) };
      groups.set(key, group);
      group.values.push(Number(value));
    },
    xFinal: (context: number) => {
      const key = capi.sqlite3_js_aggregate_context(context, 0);
      const group = groups.get(key);
      groups.delete(key);
      return group === undefined ? null : interpolate(group.values, group.p);
    },
  });
}

/** @param p from 0 to 100 */
export function interpolate(values: readonly number[], p: number): number {
  const sorted = Float64Array.from(values).sort();
  const position = (p * (sorted.length - 1)) / 100;
  const [below, above] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0];
  return below + (above - below) * (position - Math.floor(position));
}
