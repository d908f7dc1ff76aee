import { statisticsSql, type Filters } from "../../statistics/sql.ts";
import type { Metric } from "../../statistics/metric.ts";
import { number, numberOrNull } from "../row.ts";
import type { Context } from "./context.ts";

/** A span of time in microseconds, its end not included. */
export type Span = readonly [from: bigint, to: bigint];

export interface StatisticsInput {
  readonly metrics: readonly Metric[];
  readonly filters: Filters;
  /** One for each bucket. */
  readonly buckets: readonly Span[];
  readonly window: Span;
}

/** The numbers of one span: rows, and one number or null for each column of each metric, in order. */
export interface SpanStatistics {
  readonly count: number;
  readonly values: (number | null)[][];
}

/** Calculates a statement for each bucket, and once for the window as a whole. */
export function readStatistics(
  { database }: Context,
  { metrics, filters, buckets, window }: StatisticsInput,
): { buckets: SpanStatistics[]; window: SpanStatistics } {
  const { sql, params } = statisticsSql(metrics, filters);
  const read = ([from, to]: Span): SpanStatistics => {
    const row = database.get(sql, { ...params, from, to }) ?? {};
    return {
      count: number(row, "count"),
      values: metrics.map(({ columns }, index) =>
        columns.map((_, place) => finite(numberOrNull(row, `m${index}_${place}`))),
      ),
    };
  };
  return { buckets: buckets.map(read), window: read(window) };
}

/** A sum can leave the range of numbers; JSON has no word for that. */
function finite(value: number | null): number | null {
  return value === null ? null : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
