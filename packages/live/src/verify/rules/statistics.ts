import { textOf } from "../../text.ts";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import type { Sentence } from "../sentences.ts";
import type { Exchange } from "../wire.ts";

const bodyOf = ({ body }: Exchange): JsonObject => (isObject(body) ? body : {});
const buckets = ({ buckets: all }: JsonObject): JsonObject[] => (Array.isArray(all) ? all.filter(isObject) : []);
const metrics = (exchange: Exchange): JsonObject[] => {
  const all = bodyOf(exchange)["metrics"];
  return Array.isArray(all) ? all.filter(isObject) : [];
};
const slug = ({ json_path: path }: JsonObject): string => String(path).replaceAll(/[. ]/g, "_");

const defaults: Readonly<Record<string, readonly string[]>> = {
  numeric: ["avg", "min", "max"],
  boolean: ["count_true", "count_false"],
  categorical: ["count"],
};

/** The results of a metric, in the order of the contract: aggregations, then percentiles. */
function resultsOf(metric: JsonObject): string[] {
  const kind = typeof metric["value_type"] === "string" ? metric["value_type"] : "numeric";
  const named = Array.isArray(metric["aggregations"]) ? metric["aggregations"].map(String) : [];
  const percentiles = kind === "numeric" && Array.isArray(metric["percentiles"]) ? metric["percentiles"] : [];
  return [...(named.length > 0 ? named : (defaults[kind] ?? [])), ...percentiles.map((one) => `p${String(one)}`)];
}

/** Automatic bucket sizes by range: up to so many hours, a size in seconds. */
const sizes: readonly (readonly [hours: number, seconds: number])[] = [
  [2, 300],
  [12, 3600],
  [72, 21_600],
  [336, 43_200],
  [Number.POSITIVE_INFINITY, 86_400],
];

const isUtc = (value: unknown): boolean => /(?:[Zz]|[+-]00:00)$/.test(String(value));
const differ = (a: number, b: number): boolean => Math.abs(a - b) > 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

export const statistics: readonly Sentence[] = [
  ...(["start", "end"] as const).map((name): Sentence => ({
    schema: "FeedbackStats",
    property: name,
    text: "always in UTC",
    breach: (stats) => (isUtc(stats[name]) ? undefined : String(stats[name])),
  })),
  ...(["start", "end"] as const).map((name): Sentence => ({
    schema: "FeedbackStats",
    property: name,
    text: name === "start" ? "Start of the window" : "End of the window",
    performed: true,
    breach: (stats, exchange) => {
      const wanted = bodyOf(exchange)[name];
      if (typeof wanted !== "string") return undefined;
      const utc = /[Zz]$|[+-]\d\d:\d\d$/.test(wanted) ? wanted : `${wanted}Z`;
      return Date.parse(utc) === Date.parse(String(stats[name])) ? undefined : `${String(stats[name])} for ${wanted}`;
    },
  })),
  {
    schema: "FeedbackStats",
    property: "timezone",
    text: "IANA name of the time zone in which the buckets are aligned.",
    performed: true,
    breach: ({ timezone }, exchange) => {
      const wanted = bodyOf(exchange)["timezone"] ?? "UTC";
      return timezone === wanted ? undefined : `${String(timezone)} for ${textOf(wanted)}`;
    },
  },
  {
    schema: "FeedbackStats",
    property: "granularity",
    text: "Size of a bucket that was used, in seconds.",
    performed: true,
    breach: (stats, exchange) => {
      const { granularity } = stats;
      const seconds = (Date.parse(String(stats["end"])) - Date.parse(String(stats["start"]))) / 1000;
      if (metrics(exchange).length === 0)
        return granularity === 3600 ? undefined : `${String(granularity)} without metrics`;
      const wanted =
        Number(bodyOf(exchange)["granularity"] ?? 0) || sizes.find(([hours]) => seconds <= hours * 3600)?.[1] || 0;
      const used = Math.ceil(seconds / wanted) > 10_000 ? Math.max(wanted, Math.trunc(seconds / 10_000) + 1) : wanted;
      return granularity === used ? undefined : `${String(granularity)}, where ${used} follows from the request`;
    },
  },
  {
    schema: "FeedbackStats",
    property: "buckets",
    text: "All buckets of the window, in order and without gaps.",
    performed: true,
    breach: (stats, exchange) => {
      const all = buckets(stats);
      const [start, end] = [Date.parse(String(stats["start"])), Date.parse(String(stats["end"]))];
      if (metrics(exchange).length === 0 || start === end)
        return all.length === 0 ? undefined : `${all.length} buckets`;
      const times = all.map(({ timestamp }) => Date.parse(String(timestamp)));
      const [first, last] = [times[0], times.at(-1)];
      const size = Number(stats["granularity"]) * 1000;
      if (first === undefined || last === undefined) return "no bucket";
      if (times.some((time, index) => index > 0 && time <= (times[index - 1] ?? 0)))
        return "buckets that do not ascend";
      if (first > start) return `a first bucket at ${String(all[0]?.["timestamp"])}, after the start`;
      if (last >= end) return `a bucket at ${String(all.at(-1)?.["timestamp"])}, after the end`;
      // When clocks change, days and hours have other lengths.
      if (stats["timezone"] !== "UTC") return undefined;
      const gap = times.findIndex((time, index) => index > 0 && time - (times[index - 1] ?? 0) !== size);
      if (gap > 0)
        return `no bucket between ${String(all[gap - 1]?.["timestamp"])} and ${String(all[gap]?.["timestamp"])}`;
      if (times.some((time) => time % size !== 0)) return "a bucket that does not start at a multiple of its size";
      return first + size <= start || last + size < end ? "buckets that do not cover the window" : undefined;
    },
  },
  {
    schema: "FeedbackStats",
    property: "window_stats",
    text: "Null if the request has no metrics.",
    performed: true,
    breach: ({ window_stats: window }, exchange) => {
      const wanted = metrics(exchange).length > 0;
      if (isObject(window) === wanted) return undefined;
      return wanted ? "null, although the request has metrics" : "statistics, although the request has no metrics";
    },
  },
  {
    schema: "FeedbackStats",
    property: "window_stats",
    text: "by the slug of the metric",
    performed: true,
    breach: ({ window_stats: window }, exchange) => {
      if (!isObject(window)) return undefined;
      for (const metric of metrics(exchange)) {
        const found = window[slug(metric)];
        const missing = resultsOf(metric).find((name) => !isObject(found) || !(name in found));
        if (missing !== undefined) return `no ${missing} of ${slug(metric)}`;
      }
      const wanted = new Set(metrics(exchange).map(slug));
      const strange = Object.keys(window).find((name) => !wanted.has(name));
      return strange === undefined ? undefined : `${strange}, which the request does not include`;
    },
  },
  {
    schema: "FeedbackStats",
    property: "window_stats",
    text: "The results for the whole window",
    performed: true,
    breach: (stats, exchange) => {
      const window = stats["window_stats"];
      if (!isObject(window)) return undefined;
      for (const metric of metrics(exchange)) {
        const whole = window[slug(metric)];
        if (!isObject(whole)) continue;
        const values = (name: string): number[] =>
          buckets(stats).flatMap((bucket) => {
            const value = bucket[`${name}_${slug(metric)}`];
            return typeof value === "number" ? [value] : [];
          });
        // The window may start or end within a bucket; rows outside of the window are in neither.
        const combined: Readonly<Record<string, (all: number[]) => number>> = {
          sum: total,
          count: total,
          count_true: total,
          count_false: total,
          min: (all) => Math.min(...all),
          max: (all) => Math.max(...all),
        };
        for (const [name, combine] of Object.entries(combined)) {
          const ofWindow = whole[name];
          const all = values(name);
          if (typeof ofWindow === "number" && all.length > 0 && differ(ofWindow, combine(all)))
            return `${name} ${ofWindow} of the window, and ${combine(all)} of its buckets`;
        }
        const average = whole["avg"];
        const [low, high] = [whole["min"], whole["max"]];
        if (typeof average === "number" && typeof low === "number" && typeof high === "number")
          if (average < low - 1e-9 || average > high + 1e-9)
            return `avg ${average}, which is not from ${low} to ${high}`;
        for (const [name, value] of Object.entries(whole))
          if (/^p\d/.test(name) && typeof value === "number" && typeof low === "number" && typeof high === "number")
            if (value < low - 1e-9 || value > high + 1e-9)
              return `${name} ${value}, which is not from ${low} to ${high}`;
      }
      return undefined;
    },
  },
  {
    schema: "FeedbackStatsBucket",
    text: "It has `timestamp`, `count`, and one key `{agg}_{slug}` for each aggregation of each metric",
    performed: true,
    breach: (bucket, exchange) => {
      const wanted = metrics(exchange).flatMap((metric) => resultsOf(metric).map((name) => `${name}_${slug(metric)}`));
      const missing = wanted.find((name) => !(name in bucket));
      if (missing !== undefined) return `no ${missing}`;
      const expected = new Set(["timestamp", "count", ...wanted]);
      const strange = Object.keys(bucket).find((name) => !expected.has(name));
      return strange === undefined ? undefined : `${strange}, which the request does not include`;
    },
  },
  {
    schema: "FeedbackStatsBucket",
    property: "count",
    text: "Number of feedback rows in the bucket after the filters, with or without values.",
    breach: (bucket) => {
      const { count } = bucket;
      if (Number(count) < 0) return String(count);
      const larger = Object.entries(bucket).find(
        ([name, value]) => name.startsWith("count_") && typeof value === "number" && value > Number(count),
      );
      return larger === undefined ? undefined : `${String(count)}, where ${larger[0]} is ${String(larger[1])}`;
    },
  },
  {
    schema: "FeedbackStatsBucket",
    property: "timestamp",
    text: "with the offset of the requested time zone at that instant",
    performed: true,
    breach: ({ timestamp }, exchange) => {
      const zone = bodyOf(exchange)["timezone"] ?? "UTC";
      if (zone === "UTC") return isUtc(timestamp) ? undefined : String(timestamp);
      const shown = zoneTime(String(timestamp), textOf(zone));
      return shown === undefined || String(timestamp).startsWith(shown)
        ? undefined
        : `${String(timestamp)} in ${textOf(zone)}`;
    },
  },
];

const total = (all: number[]): number => all.reduce((sum, value) => sum + value, 0);

/** The local time of a zone at an instant: `2026-03-08T00:00`. */
function zoneTime(instant: string, zone: string): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
    return parts.format(new Date(instant)).replace(" ", "T");
  } catch {
    return undefined;
  }
}
