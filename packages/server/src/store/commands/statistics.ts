import { extremesOf, statisticsSql, type Filters } from "../../statistics/sql.ts";
import type { Metric } from "../../statistics/metric.ts";
import type { Row } from "../database.ts";
import { number, numberOrNull } from "../row.ts";
import type { Context } from "./context.ts";

/** A span of time in microseconds; the end is exclusive. */
export type Span = readonly [from: bigint, to: bigint];

export interface StatisticsInput {
  readonly metrics: readonly Metric[];
  readonly filters: Filters;
  /** One for each bucket. */
  readonly buckets: readonly Span[];
  readonly window: Span;
}

/** The numbers of one span: the count of rows, and one number or null for each column of each metric, in order. */
export interface SpanStatistics {
  count: number;
  readonly values: (number | null)[][];
}

/** Runs statements for each bucket, and once for the window as a whole. */
export function readStatistics(
  context: Context,
  { metrics, filters, buckets, window }: StatisticsInput,
): { buckets: SpanStatistics[]; window: SpanStatistics } {
  const all: SpanStatistics[] = [window, ...buckets].map(() => ({ count: 0, values: metrics.map(() => []) }));
  const [whole, ...each] = all;
  if (whole === undefined) throw new Error("A statistic has a window.");
  for (const { part, at } of partsOf(metrics)) {
    const read = readerOf(context, part, filters);
    // If no value of the window is near the end of the range of numbers, no bucket has one.
    const [near] = read(window, whole, at, true);
    for (const [index, span] of each.entries()) read(buckets[index] ?? window, span, at, near);
  }
  return { buckets: each, window: whole };
}

/** How many columns one statement may return: SQLite allows 2,000. */
interface Part {
  readonly part: Metric[];
  /** The index of each metric in the whole list. */
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

/** The largest absolute value of a metric. */
function peakOf(row: Row, metric: Metric, index: number): number {
  const names = extremesOf(metric)?.map((column) => `m${index}_${column}`) ?? [`peak${index}`];
  return Math.max(...names.map((name) => Math.abs(numberOrNull(row, name) ?? 0)));
}

/** Above this, the sum of values could overflow although their mean does not. */
const farthest = 1e290;

/**
 * Makes the function that reads the numbers of a part over a span. It also reports whether a value is near the end of
 * the range.
 */
function readerOf({ database }: Context, metrics: readonly Metric[], filters: Filters) {
  const { params } = statisticsSql(metrics, filters);
  const prepared = (near?: "peaks" | "scaled") => database.prepare(statisticsSql(metrics, filters, near).sql);
  const plain = prepared();
  const peaks = metrics.every(extremesOf) ? plain : prepared("peaks");
  return ([from, to]: Span, into: SpanStatistics, at: readonly number[], look: boolean): [near: boolean] => {
    let row = (look ? peaks : plain)({ ...params, from, to }) ?? {};
    const near = look && metrics.some((metric, index) => peakOf(row, metric, index) > farthest);
    if (near) row = prepared("scaled")({ ...params, from, to }) ?? {};
    into.count = number(row, "count");
    for (const [index, { columns }] of metrics.entries()) {
      const values = into.values[at[index] ?? 0];
      for (const column of columns.keys()) values?.push(finite(numberOrNull(row, `m${index}_${column}`)));
    }
    return [near];
  };
}

/** A sum can overflow to infinity, which JSON cannot represent. */
function finite(value: number | null): number | null {
  return value === null ? null : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
