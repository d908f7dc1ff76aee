import * as fc from "fast-check";
import { expect, expectTypeOf, it } from "vitest";
import { bucketOf } from "./bucket-literal.ts";
import { buckets, type Aggregation } from "./buckets.ts";
import type { FeedbackStats, FeedbackStatsBucket, FeedbackStatsRequest, Metric } from "./generated/schema.ts";

function statsOf(...all: FeedbackStatsBucket[]): FeedbackStats {
  const window = { start: "2024-01-01T00:00:00Z", end: "2024-01-02T00:00:00Z" };
  return { ...window, granularity: 21_600, timezone: "UTC", buckets: all, window_stats: null };
}
const timestamp = "2024-01-01T00:00:00+00:00";

it("reads the requested aggregations, by metric and name", () => {
  const request = {
    metrics: [
      { json_path: "output.score", aggregations: ["avg", "max"], percentiles: [95, 99.9] },
      { json_path: "was helpful", value_type: "boolean" },
      { json_path: "label", value_type: "categorical", percentiles: [50] },
      { json_path: "cost" },
    ],
  } as const;
  const bucket = bucketOf({
    timestamp,
    avg_output_score: 0.5,
    max_output_score: 1,
    p95_output_score: 0.98,
    "p99.9_output_score": null,
    count_true_was_helpful: 2,
    count_false_was_helpful: 1,
    count_label: 3,
    avg_cost: 0,
    min_cost: null,
    max_cost: null,
    count: 3,
  });
  const [reading] = buckets(statsOf(bucket), request);
  expect(reading).toEqual({
    timestamp,
    count: 3,
    metrics: {
      "output.score": { avg: 0.5, max: 1, p95: 0.98, "p99.9": null },
      "was helpful": { count_true: 2, count_false: 1 },
      label: { count: 3 },
      cost: { avg: 0, min: null, max: null },
    },
  });
  type Metrics = NonNullable<typeof reading>["metrics"];
  expectTypeOf<Metrics["output.score"]>().toEqualTypeOf<{
    readonly avg: number;
    readonly max: number | null;
    readonly p95: number | null;
    readonly "p99.9": number | null;
  }>();
  expectTypeOf<keyof Metrics["was helpful"]>().toEqualTypeOf<"count_true" | "count_false">();
  expectTypeOf<keyof Metrics["label"]>().toEqualTypeOf<"count">();
  expectTypeOf<Metrics["cost"]["min"]>().toEqualTypeOf<number | null>();
});

it("types every result as possibly undefined if the types do not know the request", () => {
  const request: FeedbackStatsRequest = {
    project_id: "team-a/demo",
    start: timestamp,
    metrics: [{ json_path: "cost" }],
  };
  const [reading] = buckets(statsOf(bucketOf({ timestamp, avg_cost: 2, min_cost: 1, max_cost: 3, count: 2 })), request);
  expect(reading?.metrics["cost"]?.avg).toBe(2);
  expectTypeOf(reading?.metrics["cost"]?.avg).toEqualTypeOf<number | undefined>();
  expectTypeOf(reading?.metrics["cost"]?.p95).toEqualTypeOf<number | null | undefined>();
});

it("merges two metrics of one path", () => {
  const stats = statsOf(bucketOf({ timestamp, sum_cost: 4, avg_cost: 2, count: 2 }));
  const [reading] = buckets(stats, {
    metrics: [
      { json_path: "cost", aggregations: ["sum"] },
      { json_path: "cost", aggregations: ["avg"] },
    ],
  });
  expect(reading?.metrics.cost).toEqual({ sum: 4, avg: 2 });
});

it("has nothing to read if the request has no metrics", () => {
  expect(buckets(statsOf(), {})).toEqual([]);
  expect(buckets(statsOf(bucketOf({ timestamp, count: 1 })), { metrics: [] })).toEqual([
    { timestamp, count: 1, metrics: {} },
  ]);
});

it("throws if the response belongs to another request", () => {
  const stats = statsOf(bucketOf({ timestamp, avg_cost: 1, count: 1 }));
  expect(() => buckets(stats, { metrics: [{ json_path: "price", aggregations: ["avg"] }] })).toThrow(
    new RangeError(`The bucket of ${timestamp} has no "avg_price". Pass the request that these statistics answer.`),
  );
});

it("does not read members that every object inherits", () => {
  const stats = statsOf(bucketOf({ timestamp, avg___proto__: 7, count: 1 }));
  const [reading] = buckets(stats, { metrics: [{ json_path: "__proto__", aggregations: ["avg"] }] });
  expect(Object.entries(reading?.metrics ?? {})).toEqual([["__proto__", { avg: 7 }]]);
});

it("finds every result under the key that the service gives it", () => {
  // With any name, because the contract may add aggregations, and the keys of all are built in the same way.
  const aggregation = fc.stringMatching(/^[a-z]{1,6}(_[a-z]{1,6})?$/).map((name) => name as Aggregation);
  const metric = fc.record({
    json_path: fc.stringMatching(/^[a-zA-Z0-9_. ]{1,12}$/),
    aggregations: fc.uniqueArray(aggregation, { minLength: 1 }),
    percentiles: fc.uniqueArray(fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10)),
  });
  fc.assert(
    fc.property(fc.array(metric, { maxLength: 4 }), (metrics: Metric[]) => {
      const keys = metrics.flatMap(({ json_path: path, aggregations = [], percentiles = [] }) => {
        const slug = path.split(".").join("_").split(" ").join("_");
        return [...aggregations, ...percentiles.map((percentile) => `p${percentile}`)].map((name) => `${name}_${slug}`);
      });
      const results = Object.fromEntries(keys.map((key, index) => [key, index]));
      const [reading] = buckets(statsOf(Object.assign({ timestamp, count: 1 }, results)), { metrics });
      const read = Object.values(reading?.metrics ?? {}).flatMap((one) => Object.values(one));
      expect(new Set(read)).toEqual(new Set(Object.values(results)));
    }),
  );
});

it("writes a bucket in the service's order", () => {
  expect(Object.keys(bucketOf({ count: 1, avg_cost: 1, timestamp }))).toEqual(["timestamp", "avg_cost", "count"]);
});
