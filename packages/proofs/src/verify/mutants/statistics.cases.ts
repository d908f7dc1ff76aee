import { isObject, type JsonObject } from "@trainyard/core/validation";
import { each, items, json, raw, resent, type Mutant } from "../mutant.ts";

const stats = "auxiliary feedback.stats";
const buckets = (change: Parameters<typeof each>[0]) => each(change, "buckets");
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** Changes the results of each bucket whose name begins with a text. */
const results = (body: JsonObject, start: string, change: (value: unknown, bucket: JsonObject) => unknown): void => {
  for (const bucket of items(body, "buckets"))
    for (const name of Object.keys(bucket)) if (name.startsWith(start)) bucket[name] = change(bucket[name], bucket);
};

/** Feedback statistics. */
export const statistics: readonly Mutant[] = [
  json(stats, "a percentile is above the maximum", /above (max|p100)/, (body) =>
    results(body, "p50", (value) => (number(value) === undefined ? value : Number(value) + 100)),
  ),
  json(stats, "a minimum is above the average", /above avg/, (body) =>
    results(body, "min_", (_, bucket) => Number(bucket["avg_output_score"]) + 0.001),
  ),
  json(stats, "a lower percentile is above a higher one", /p0 .*above/, (body) =>
    results(body, "p0_", (value, bucket) =>
      number(value) === undefined ? value : Number(bucket["p50_output_score"]) + 0.1,
    ),
  ),
  json(stats, "the averages of buckets are too high", /avg/, (body) =>
    results(body, "avg_", (value) => Number(value) * 1.1),
  ),
  json(stats, "the average of the window is that of the averages", /avg/, (body) => {
    const { window_stats: window } = body;
    for (const whole of Object.values(isObject(window) ? window : {}))
      if (isObject(whole) && number(whole["avg"]) !== undefined) whole["avg"] = Number(whole["avg"]) * 1.05;
  }),
  json(stats, "a bucket without values has a maximum", /without values/, (body) =>
    results(body, "max_", (value) => value ?? 0),
  ),
  json(stats, "a bucket without values has no average", /without values/, (body) =>
    results(body, "avg_", (value) => (value === 0 ? null : value)),
  ),
  json(stats, "the keys of a bucket have another order", /order/, (body) => {
    body["buckets"] = items(body, "buckets").map(({ count, ...bucket }) => ({ count, ...bucket }));
  }),
  resent("auxiliary feedback.stats 422", "an end before the start is accepted", /422/, ({ body }) =>
    body["end"] === "1970-01-01T00:00:00Z" ? { body: { ...body, end: body["start"] } } : undefined,
  ),
  json(
    stats,
    "the counts of the buckets do not add up",
    /count|bucket/,
    buckets({ count: (count) => Number(count) + 1 }),
  ),
  json(stats, "a bucket is missing", /bucket/, (body) => {
    body["buckets"] = items(body, "buckets").filter((_, index) => index !== 1);
  }),
  json(stats, "the end of the window is another", /`end`/, { end: "2026-11-06T00:00:00Z" }),
  json(stats, "the times of the window are not in UTC", /UTC/, (body) => {
    body["start"] = String(body["start"]).replace("00:00:00Z", "01:00:00+01:00");
  }),
  resent(stats, "the requested time zone is ignored", /timezone|time zone/, ({ body }) => ({
    body: { ...body, timezone: "UTC" },
  })),
  json(stats, "percentiles are missing", /p\d+/, (body) => {
    for (const bucket of items(body, "buckets"))
      for (const name of Object.keys(bucket)) if (/^p\d/.test(name)) delete bucket[name];
  }),
  json(stats, "the sum of the window differs from the sum of its buckets", /window/, ({ window_stats: window }) => {
    for (const whole of Object.values(isObject(window) ? window : {}))
      if (isObject(whole) && typeof whole["sum"] === "number") whole["sum"] += 1;
  }),
  resent(stats, "the requested bucket size is ignored", /granularity/, ({ body }) =>
    body["granularity"] ? { body: { ...body, granularity: 0 } } : undefined,
  ),
  json(stats, "there is a bucket beyond the end", /end/, (body) => {
    const last = items(body, "buckets").at(-1);
    if (last === undefined) return;
    const next = new Date(Date.parse(String(last["timestamp"])) + Number(body["granularity"]) * 1000);
    body["buckets"] = [...items(body, "buckets"), { ...last, timestamp: next.toISOString() }];
  }),
  resent(stats, "the automatic size of a bucket is an hour", /granularity/, ({ body }) =>
    body["granularity"] || !("metrics" in body) ? undefined : { body: { ...body, granularity: 3600 } },
  ),
  json(stats, "the keys of a bucket begin with the slug", /bucket|`\{agg\}/, (body) => {
    body["buckets"] = items(body, "buckets").map((bucket) =>
      Object.fromEntries(
        Object.entries(bucket).map(([name, one]) => [name.replace(/^([a-z]+\d*)_(output_\w+)$/, "$2_$1"), one]),
      ),
    );
  }),
  json(stats, "without metrics, the results are empty", /Null/, (body) => void (body["window_stats"] ??= {})),
  raw(stats, "the buckets of another zone are those of UTC", /zone/, async (answer, { body, forward }) => {
    const { timezone } = JSON.parse(answer.text);
    const utc = JSON.parse((await forward({ body: { ...body, timezone: "UTC" } })).text);
    answer.text = JSON.stringify({ ...utc, timezone });
  }),
  raw(
    stats,
    "the buckets of another zone are those of UTC, shown with its offset",
    /zone/,
    async (answer, { body, forward }) => {
      const all = JSON.parse((await forward({ body: { ...body, timezone: "UTC" } })).text);
      if (body["timezone"] !== "Asia/Kolkata") return;
      for (const bucket of items(all, "buckets")) {
        const shown = new Date(Date.parse(String(bucket["timestamp"])) + 19_800_000);
        bucket["timestamp"] = shown.toISOString().replace(/\..*/, "+05:30");
      }
      answer.text = JSON.stringify({ ...all, timezone: body["timezone"] });
    },
  ),
  json(stats, "the buckets come latest first", /ascend/, (body) => {
    body["buckets"] = items(body, "buckets").toReversed();
  }),
  json(stats, "a window without values has a minimum", /null/, ({ window_stats: window }) => {
    for (const whole of Object.values(Object(window))) if (isObject(whole) && "min" in whole) whole["min"] ??= 0;
  }),
  json(stats, "a metric counts more values than there are rows", /count/, (body) =>
    results(body, "count_", (_, bucket) => Number(bucket["count"]) + 1),
  ),
  json(stats, "the minimum of the window is above that of a bucket", /window/, ({ window_stats: window }) => {
    for (const whole of Object.values(Object(window)))
      if (isObject(whole) && number(whole["min"]) !== undefined) whole["min"] = whole["max"];
  }),
  resent("auxiliary feedback.stats 422", "an unknown time zone is accepted", /422/, ({ body }) =>
    "timezone" in body ? { body: { ...body, timezone: "UTC" } } : undefined,
  ),
  json(stats, "a bucket with values has no minimum", /with \d+ values/, (body) => results(body, "min_", () => null)),
  resent(stats, "the type of feedback is ignored", /feedback_type/, ({ body }) => ({
    body: { ...body, feedback_type: undefined },
  })),
  resent(stats, "the trigger is ignored", /trigger_ref/, ({ body }) => ({ body: { ...body, trigger_ref: undefined } })),
  resent("auxiliary feedback.stats 422", "a window of 32 days is accepted", /32 days/, ({ body }) =>
    String(body["end"]).startsWith("2026-12") ? { body: { ...body, end: body["start"] } } : undefined,
  ),
];
