import { granularityOf } from "@trainyard/auxiliary/statistics";
import type { JsonObject } from "@trainyard/core/validation";
import type { FeedbackStats, FeedbackStatsBucket, FeedbackStatsRequest } from "@trainyard/auxiliary";
import type { SpanStatistics, StatisticsInput } from "../store/commands/statistics.ts";
import { aggregations, noValue, type Empty } from "./aggregations.ts";
import { bucketEdges } from "./edges.ts";
import { formatMicros, formatSecond, parseMicros, secondOf, type Micros } from "./instant.ts";
import { planMetrics, type Column, type Metric } from "./metric.ts";
import { zoneOf, type Zone } from "./zone.ts";

/** An error of the request that its schema cannot detect. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** The invalid field. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** A statistic that is ready to be read: the query for the store, and how to write its response. */
export interface Plan {
  /** Absent if there is nothing to calculate. */
  readonly input?: StatisticsInput;
  readonly answer: (read?: { buckets: SpanStatistics[]; window: SpanStatistics }) => FeedbackStats;
}

const longest = 31n * 24n * 3600n * 1_000_000n;
/** Before this time, the local year of a zone may not have four digits, as ISO 8601 requires. */
const earliest = parseMicros("0001-01-03T00:00:00Z");
const latest = parseMicros("9999-12-31T23:59:59.999999Z");
/** The most numbers in a response: more would be hundreds of MiB of text. */
const mostNumbers = 2_000_000;

/**
 * Resolves everything about a statistic except its numbers.
 *
 * @param now in milliseconds
 * @throws RequestError, or MetricError if a metric cannot be calculated
 */
export function planStatistics(request: FeedbackStatsRequest, now: number): Plan {
  const start = parseMicros(request.start);
  const current = BigInt(Math.trunc(now)) * 1000n;
  const end = typeof request.end === "string" ? parseMicros(request.end) : current < latest ? current : latest;
  checkWindow(start, end);
  const zone = zoneOf(request.timezone ?? "UTC");
  if (zone === undefined) throw new RequestError("timezone", `Unknown time zone: ${request.timezone}`);
  const metrics = planMetrics(request.metrics ?? []);
  const resolved = { start: formatMicros(start), end: formatMicros(end), timezone: zone.name };
  if (metrics.length === 0) {
    return { answer: () => ({ ...resolved, granularity: 3600, buckets: [], window_stats: null }) };
  }
  const granularity = granularityOf(Number(end - start) / 1e6, request.granularity);
  // Rounded up, so that an end within a second keeps the edge of that second.
  const edges = bucketEdges(secondOf(start), secondOf(end - 1n) + 1, granularity, zone);
  const kept = start === end ? [] : edges;
  const keys = bucketKeys(metrics);
  checkSize(kept.length, keys.length);
  return {
    input: {
      metrics,
      filters: {
        project: request.project_id,
        feedbackType: request.feedback_type ?? undefined,
        triggerRef: request.trigger_ref ?? undefined,
      },
      // The first bucket may start before the window, and the last one end after it.
      buckets: kept.map((edge, index) => {
        const next = kept[index + 1];
        return [index === 0 ? start : BigInt(edge) * 1_000_000n, next === undefined ? end : BigInt(next) * 1_000_000n];
      }),
      window: [start, end],
    },
    answer: (read) => ({
      ...resolved,
      granularity,
      buckets: kept.map((edge, index) => writeBucket(edge, zone, keys, read?.buckets[index])),
      window_stats: writeWindow(metrics, read?.window),
    }),
  };
}

function checkWindow(start: Micros, end: Micros): void {
  if (start < earliest || start > latest) {
    throw new RequestError("start", "The window must start between the years 1 and 9999");
  }
  if (end > latest) throw new RequestError("end", "The window must end before the year 10000");
  if (end < start) throw new RequestError("end", "The window must not end before it starts");
  if (end - start > longest) throw new RequestError("end", "The window must not be longer than 31 days");
}

function checkSize(buckets: number, columns: number): void {
  const numbers = buckets * columns;
  if (numbers <= mostNumbers) return;
  const [count, most] = [numbers, mostNumbers].map((number) => number.toLocaleString("en-US"));
  const cure = "Ask for larger buckets, a shorter window or fewer metrics";
  throw new RequestError("metrics", `The answer would have ${count} numbers, and ${most} are the most. ${cure}`);
}

/** The key of a number in a bucket, and its index in what the store returned. */
interface BucketKey {
  readonly key: string;
  readonly metric: number;
  readonly column: number;
  /** The numbers of a bucket without values. */
  readonly empty: 0 | null;
}

function bucketKeys(metrics: readonly Metric[]): BucketKey[] {
  return metrics.flatMap(({ columns, slug }, metric) =>
    columns.map((column, index) => {
      return { key: `${column.name}_${slug}`, metric, column: index, empty: withoutValues(column).bucket };
    }),
  );
}

function writeBucket(
  edge: number,
  zone: Zone,
  keys: readonly BucketKey[],
  read: SpanStatistics | undefined,
): FeedbackStatsBucket {
  const bucket: JsonObject = { timestamp: formatSecond(edge, zone.spanAt(edge).offset) };
  for (const { key, metric, column, empty } of keys) bucket[key] = read?.values[metric]?.[column] ?? empty;
  bucket["count"] = read?.count ?? 0;
  // The type mixes fixed keys with open keys of another type: it can be read, but no literal matches it.
  return bucket as FeedbackStatsBucket;
}

function writeWindow(metrics: readonly Metric[], read: SpanStatistics | undefined): FeedbackStats["window_stats"] {
  const slugs = new Map<string, [string, number | null][]>();
  for (const [metricIndex, { columns, slug }] of metrics.entries()) {
    const entries = slugs.get(slug) ?? [];
    slugs.set(slug, entries);
    for (const [index, column] of columns.entries()) {
      entries.push([column.name, read?.values[metricIndex]?.[index] ?? withoutValues(column).window]);
    }
  }
  return Object.fromEntries([...slugs].map(([slug, entries]) => [slug, Object.fromEntries(entries)]));
}

function withoutValues(column: Column): Empty {
  return "aggregation" in column ? aggregations[column.aggregation].empty : noValue;
}
