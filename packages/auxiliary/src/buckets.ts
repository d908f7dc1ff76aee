import type { FeedbackStats, FeedbackStatsBucket, Metric } from "./generated/schema.ts";

/** The results that a metric can have in a bucket. */
export type Aggregation = NonNullable<Metric["aggregations"]>[number];

/** The part of a request that determines the content of its buckets. You can pass the request that you sent. */
export interface BucketsRequest {
  readonly metrics?: readonly Metric[];
}

/** A bucket with its results by metric and name: `bucket.metrics["output.score"].avg`. */
export interface BucketReading<M extends Metric = Metric> {
  /** Start of the bucket, ISO 8601, with the offset of the requested time zone. */
  readonly timestamp: string;
  /** Number of feedback rows in the bucket, with or without values. */
  readonly count: number;
  /** The results of each metric, by its `json_path`. */
  readonly metrics: MetricReadings<M>;
}

/** The results of each metric, by its path. */
export type MetricReadings<M extends Metric> = string extends M["json_path"]
  ? { readonly [path: string]: MetricReading<M> }
  : { readonly [Path in M["json_path"]]: MetricReading<Extract<M, { readonly json_path: Path }>> };

/**
 * The results of one metric, by aggregation (`avg`) or percentile (`p95`). Each is possibly undefined if the type of the
 * request does not say what was requested.
 */
export type MetricReading<M extends Metric> = [M] extends [ExactMetric]
  ? { readonly [Name in NameOf<M>]: ResultOf<Name> }
  : { readonly [Name in Aggregation | `p${number}`]?: ResultOf<Name> };

/** Compiles only with a line for each aggregation of the contract. */
type ForEachAggregation<Lines extends Record<Aggregation, number | null>> = Lines;
/** Counts, sums and means are 0 in a bucket without values; the other results are null. */
type Results = ForEachAggregation<{
  readonly sum: number;
  readonly avg: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly count: number;
  readonly count_true: number;
  readonly count_false: number;
}>;
type ResultOf<Name> = Name extends Aggregation ? Results[Name] : number | null;
type ValueType = NonNullable<Metric["value_type"]>;

interface Automatic {
  readonly numeric: readonly ["avg", "min", "max"];
  readonly boolean: readonly ["count_true", "count_false"];
  readonly categorical: readonly ["count"];
}

/** The aggregations of a metric that names none, by the type of its values. */
export const automatic: Automatic = {
  numeric: ["avg", "min", "max"],
  boolean: ["count_true", "count_false"],
  categorical: ["count"],
};

/** A metric as a literal, so that its type has everything that was requested. */
interface ExactMetric extends Metric {
  readonly aggregations?: readonly [] | readonly [Aggregation, ...Aggregation[]];
  readonly percentiles?: readonly [] | readonly [number, ...number[]];
}

type NameOf<M extends Metric> = M extends Metric ? AggregationOf<M> | PercentileOf<M> : never;
type AggregationOf<M extends Metric> = M extends { readonly aggregations: readonly [infer First, ...infer Rest] }
  ? First | Rest[number]
  : M extends { readonly value_type: infer Type extends ValueType }
    ? Automatic[Type][number]
    : Automatic["numeric"][number];
type PercentileOf<M extends Metric> = M extends { readonly value_type: "boolean" | "categorical" }
  ? never
  : M extends { readonly percentiles: readonly (infer Percentile extends number)[] }
    ? `p${Percentile}`
    : never;

/**
 * Reads the buckets of a response by the metrics of its request, instead of by keys such as `avg_output_score`. If the
 * request is written out in the call, or `as const`, the results are typed one by one.
 *
 * ```ts
 * const request = { project_id, start, metrics: [{ json_path: "output.score", percentiles: [95] }] } as const;
 * const stats = await auxiliary.feedback.stats(request);
 * for (const { timestamp, metrics } of buckets(stats, request)) console.log(timestamp, metrics["output.score"].p95);
 * ```
 *
 * @throws RangeError if a bucket lacks a result, because the response belongs to another request.
 */
export function buckets<const Request extends BucketsRequest>(
  stats: FeedbackStats,
  request: Request,
): BucketReading<NonNullable<Request["metrics"]>[number]>[];
export function buckets(stats: FeedbackStats, { metrics = [] }: BucketsRequest): BucketReading[] {
  return stats.buckets.map((bucket) => {
    const readings = new Map<string, Record<string, number | null>>();
    for (const metric of metrics) {
      const names = resultNames(metric).map((name) => [name, read(bucket, name, metric.json_path)] as const);
      readings.set(metric.json_path, { ...readings.get(metric.json_path), ...Object.fromEntries(names) });
    }
    return { timestamp: bucket.timestamp, count: bucket.count, metrics: Object.fromEntries(readings) };
  });
}

/** The names of the results of a metric, in the order of the service: aggregations, then percentiles. */
export function resultNames({ value_type: type = "numeric", aggregations = [], percentiles = [] }: Metric): string[] {
  return [
    ...(aggregations.length > 0 ? aggregations : automatic[type]),
    ...(type === "numeric" ? percentiles.map((percentile) => `p${percentile}`) : []),
  ];
}

/** The name of a metric in the keys of a response: `output_score`. */
export function slugOf(path: string): string {
  return path.replaceAll(/[. ]/g, "_");
}

function read(bucket: FeedbackStatsBucket, name: string, path: string): number | null {
  const key = `${name}_${slugOf(path)}`;
  const result = bucket[key];
  if (result === undefined) {
    throw new RangeError(
      `The bucket of ${bucket.timestamp} has no "${key}". Pass the request that these statistics answer.`,
    );
  }
  return result;
}
