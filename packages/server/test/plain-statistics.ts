// A second implementation of the statistics, as simple as possible: second by second if necessary, and without code of
// the server. It is slow, and easy to read.

import type { Metric } from "@trainyard/auxiliary";

type Aggregation = NonNullable<Metric["aggregations"]>[number];

export interface Row {
  at: number;
  type: string;
  ref: string | null;
  payload: unknown;
}

export interface PlainMetric {
  json_path: string;
  value_type: "numeric" | "boolean" | "categorical";
  aggregations: Aggregation[];
  percentiles: number[];
}

/** The offset of a time zone from UTC, in seconds. */
export function offsetIn(zone: string): (second: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const at = (second: number): number => {
    const part = Object.fromEntries(
      format.formatToParts(second * 1000).map(({ type, value }) => [type, Number(value)]),
    );
    const day = Date.UTC(part["year"] ?? 0, (part["month"] ?? 0) - 1, part["day"]);
    return day / 1000 + (part["hour"] ?? 0) * 3600 + (part["minute"] ?? 0) * 60 + (part["second"] ?? 0) - second;
  };
  const offsets = new Map<number, number>();
  const remembered = (second: number): number => {
    const offset = offsets.get(second) ?? at(second);
    offsets.set(second, offset);
    return offset;
  };
  return (second) => {
    const quarter = Math.floor(second / 900) * 900;
    const offset = remembered(quarter);
    // Most clock changes are at a quarter of an hour, but not all.
    return offset === remembered(quarter + 900) ? offset : remembered(Math.floor(second / 60) * 60);
  };
}

/** The bucket edges from the last one at or before `start` to `end`, minute by minute. Sizes are whole minutes. */
export function plainEdges(start: number, end: number, size: number, zone: string): number[] {
  const offset = offsetIn(zone);
  const from = Math.floor((start - 2 * size - 3 * 86_400) / 60) * 60;
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let t = from; t < end; t += 60) {
    const clock = t + offset(t);
    const expected = t - 60 + offset(t - 60) + 60;
    const isMultiple = ((clock % size) + size) % size === 0;
    const jumpedOver = expected < clock && Math.ceil(expected / size) * size < clock;
    if ((isMultiple && !(size > 3600 && seen.has(clock))) || jumpedOver) edges.push(t);
    if (isMultiple) seen.add(clock);
  }
  const first = edges.findLastIndex((edge) => edge <= start);
  return edges.slice(Math.max(first, 0));
}

interface PlainValues {
  readonly values: readonly number[];
  readonly sorted: readonly number[];
  readonly sum: number;
}

/** By aggregation, so that a new one in the contract does not compile until it is here. `zero` is the sum of no values. */
const plain: Record<Aggregation, (read: PlainValues, zero: 0 | null) => number | null> = {
  sum: ({ values, sum }, zero) => (values.length > 0 ? sum : zero),
  avg: ({ values, sum }, zero) => (values.length > 0 ? sum / values.length : zero),
  min: ({ sorted }) => sorted[0] ?? null,
  max: ({ sorted }) => sorted.at(-1) ?? null,
  count: ({ values }) => values.length,
  count_true: ({ values }) => values.filter((value) => value === 1).length,
  count_false: ({ values }) => values.filter((value) => value === 0).length,
};

/** All aggregations of the contract. */
export const plainAggregations: readonly Aggregation[] = Object.keys(plain) as Aggregation[];

const defaults: Record<PlainMetric["value_type"], readonly Aggregation[]> = {
  numeric: ["avg", "min", "max"],
  boolean: ["count_true", "count_false"],
  categorical: ["count"],
};

/** The results of a metric in a bucket or a window; `zero` is the sum of no values. */
export function plainNumbers(rows: Row[], metric: PlainMetric, zero: 0 | null): Record<string, number | null> {
  const values = rows.flatMap((row) => valueOf(row.payload, metric));
  const sorted = values.toSorted((a, b) => a - b);
  const sum = values.reduce((a, b) => a + b, 0);
  const names = metric.aggregations.length > 0 ? metric.aggregations : defaults[metric.value_type];
  const numbers = Object.fromEntries(names.map((name) => [name, plain[name]({ values, sorted, sum }, zero)]));
  for (const percentile of metric.value_type === "numeric" ? metric.percentiles : []) {
    const rank = (percentile / 100) * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
    numbers[`p${percentile}`] = low === undefined || high === undefined ? null : low + (high - low) * (rank % 1);
  }
  return numbers;
}

function valueOf(payload: unknown, { json_path, value_type }: PlainMetric): number[] {
  let value = payload;
  for (const key of json_path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  if (value_type === "numeric") return typeof value === "number" ? [value] : [];
  if (value_type === "boolean") return typeof value === "boolean" ? [Number(value)] : [];
  return typeof value === "string" ? [1] : [];
}

export function slugOf(path: string): string {
  return path
    .split("")
    .map((c) => (c === "." || c === " " ? "_" : c))
    .join("");
}
