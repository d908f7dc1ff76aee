import type { Aggregation, Metric as MetricRequest } from "@trainyard/auxiliary";
import { automatic, slugOf } from "@trainyard/auxiliary/statistics";
import { aggregations as rules, type ValueType } from "./aggregations.ts";

/** One number to calculate. */
export type Column =
  | { readonly aggregation: Aggregation; readonly name: string }
  | { readonly percentile: number; readonly name: string };

/** A metric in which all defaults of the request are filled in. */
export interface Metric {
  /** Keys of the payload, from the outermost to the innermost. */
  readonly path: readonly string[];
  readonly type: ValueType;
  /** The name of the metric in keys of the response. */
  readonly slug: string;
  readonly columns: readonly Column[];
}

/** Why a metric cannot be calculated, as a sentence. */
export class MetricError extends Error {
  override readonly name = "MetricError";
}

/**
 * Resolves the metrics of a request.
 *
 * @throws MetricError if one cannot be calculated, or if two result in the same key
 */
export function planMetrics(requests: readonly MetricRequest[]): Metric[] {
  const keys = new Map<string, string>();
  return requests.map((request) => {
    const metric = planMetric(request);
    for (const { name } of metric.columns) {
      const key = `${name}_${metric.slug}`;
      const other = keys.get(key);
      if (other !== undefined) {
        throw new MetricError(`The metrics '${other}' and '${request.json_path}' both give the bucket key '${key}'.`);
      }
      keys.set(key, request.json_path);
    }
    return metric;
  });
}

function planMetric({ json_path, value_type = "numeric", aggregations = [], percentiles = [] }: MetricRequest): Metric {
  if (json_path.trim() === "") throw new MetricError("A json_path must not be blank.");
  if (!/^[a-zA-Z0-9_. ]+$/.test(json_path)) {
    throw new MetricError(`The json_path '${json_path}' may hold only letters, digits, '_', '.' and spaces.`);
  }
  for (const percentile of percentiles) {
    if (percentile >= 0 && percentile <= 100) continue;
    throw new MetricError(`The percentile ${percentile} of '${json_path}' is not between 0 and 100.`);
  }
  const wanted = aggregations.length > 0 ? aggregations : automatic[value_type];
  for (const aggregation of wanted) {
    if (rules[aggregation].fits.includes(value_type)) continue;
    throw new MetricError(`The aggregation '${aggregation}' does not fit the ${value_type} metric '${json_path}'.`);
  }
  const columns: Column[] = wanted.map((aggregation) => ({ aggregation, name: aggregation }));
  // Only numbers have percentiles; for other types they are ignored, not rejected.
  if (value_type === "numeric")
    columns.push(...percentiles.map((percentile) => ({ percentile, name: `p${percentile}` })));
  return { path: json_path.split("."), type: value_type, slug: slugOf(json_path), columns };
}
