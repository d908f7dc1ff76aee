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
  count: number;
  readonly values: (number | null)[][];
}

/** Calculates statements for each bucket, and once for the window as a whole. */
export function readStatistics(
  context: Context,
  { metrics, filters, buckets, window }: StatisticsInput,
): { buckets: SpanStatistics[]; window: SpanStatistics } {
  const all: SpanStatistics[] = [window, ...buckets].map(() => ({ count: 0, values: metrics.map(() => []) }));
  const [whole, ...each] = all;
  if (whole === undefined) throw new Error("A statistic has a window.");
  for (const { part, at } of partsOf(metrics)) {
    const read = readerOf(context, part, filters);
    // Where no value of the window is near the end of the range, none of a bucket is.
    const [near] = read(window, whole, at, true);
    for (const [index, span] of each.entries()) read(buckets[index] ?? window, span, at, near);
  }
  return { buckets: each, window: whole };
}

/** Columns of metrics that one statement can give: SQLite allows 2,000. */
interface Part {
  readonly part: Metric[];
  /** Which of all metrics each is. */
  readonly at: number[];
}

const columnsOfPart = 500;

function partsOf(metrics: readonly Metric[]): Part[] {
  const parts: Part[] = [];
  let room = 0;
  for (const [index, metric] of metrics.entries()) {
    for (let from = 0; from < metric.columns.length;) {
      if (room === 0) {
        parts.push({ part: [], at: [] });
        room = columnsOfPart;
      }
      const columns = metric.columns.slice(from, from + room);
      parts.at(-1)?.part.push({ ...metric, columns });
      parts.at(-1)?.at.push(index);
      from += columns.length;
      room -= columns.length;
    }
  }
  return parts;
}

/** Above this, the sum of values could leave the range of numbers, though their mean is in it. */
const farthest = 1e290;

/** Makes the function that reads a part over a span into its numbers. It tells whether a value is near the end of the range. */
function readerOf({ database }: Context, metrics: readonly Metric[], filters: Filters) {
  const { params } = statisticsSql(metrics, filters);
  const prepared = (near?: "peaks" | "scaled") => database.prepare(statisticsSql(metrics, filters, near).sql);
  const [plain, peaks] = [prepared(), prepared("peaks")];
  return ([from, to]: Span, into: SpanStatistics, at: readonly number[], look: boolean): [near: boolean] => {
    let row = (look ? peaks : plain)({ ...params, from, to }) ?? {};
    const near = look && metrics.some((_, index) => (numberOrNull(row, `peak${index}`) ?? 0) > farthest);
    if (near) row = prepared("scaled")({ ...params, from, to }) ?? {};
    into.count = number(row, "count");
    for (const [index, { columns }] of metrics.entries()) {
      const values = into.values[at[index] ?? 0];
      for (const column of columns.keys()) values?.push(finite(numberOrNull(row, `m${index}_${column}`)));
    }
    return [near];
  };
}

/** A sum can leave the range of numbers; JSON has no word for that. */
function finite(value: number | null): number | null {
  return value === null ? null : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
