import { granularityOf } from "@trainyard/auxiliary/granularity";
import { textOf } from "../../text.ts";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { bodyOf, objectsIn, type Check, type Row, type Rows, type Seen } from "./rule.ts";

const metrics = (seen: Seen): JsonObject[] => objectsIn(bodyOf(seen)["metrics"]);
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

const isUtc = (value: unknown): boolean => /(?:[Zz]|[+-]00:00)$/.test(String(value));
const differ = (a: number, b: number): boolean => Math.abs(a - b) > 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

const inUtc: Check = (time) => (isUtc(time) ? undefined : String(time));

/** An end of the window, which the response repeats in UTC. */
const edge = (name: "start" | "end"): Row => ({
  performed: (time, _, seen) => {
    const wanted = bodyOf(seen)[name];
    if (typeof wanted !== "string") return undefined;
    const utc = /[Zz]$|[+-]\d\d:\d\d$/.test(wanted) ? wanted : `${wanted}Z`;
    return Date.parse(utc) === Date.parse(String(time)) ? undefined : `${String(time)} for ${wanted}`;
  },
});

/** A result of each requested metric, and no other. */
function namesIn(window: JsonObject, seen: Seen): string | undefined {
  for (const metric of metrics(seen)) {
    const found = window[slug(metric)];
    const missing = resultsOf(metric).find((name) => !isObject(found) || !(name in found));
    if (missing !== undefined) return `no ${missing} of ${slug(metric)}`;
  }
  const wanted = new Set(metrics(seen).map(slug));
  const strange = Object.keys(window).find((name) => !wanted.has(name));
  return strange === undefined ? undefined : `${strange}, which the request does not include`;
}

/** The results of the window, compared with those of its buckets. */
function valuesIn(window: JsonObject, stats: JsonObject, seen: Seen): string | undefined {
  for (const metric of metrics(seen)) {
    const whole = window[slug(metric)];
    if (!isObject(whole)) continue;
    const values = (name: string): number[] =>
      objectsIn(stats["buckets"]).flatMap((bucket) => {
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
      if (average < low - 1e-9 || average > high + 1e-9) return `avg ${average}, which is not from ${low} to ${high}`;
    for (const [name, value] of Object.entries(whole))
      if (/^p\d/.test(name) && typeof value === "number" && typeof low === "number" && typeof high === "number")
        if (value < low - 1e-9 || value > high + 1e-9) return `${name} ${value}, which is not from ${low} to ${high}`;
  }
  return undefined;
}

/** The rules of feedback statistics. */
export const statistics: Rows<`${"bucket" | "buckets" | "metric" | "results" | "stats" | "trigger" | "window"}-${string}`> =
  {
    "window-start": edge("start"),
    "window-end": edge("end"),
    "window-start-utc": inUtc,
    "window-end-utc": inUtc,
    "window-order": { tried: "an end equal to the start" },
    "window-results": {
      performed: (window, stats, seen) =>
        isObject(window) ? (namesIn(window, seen) ?? valuesIn(window, stats, seen)) : undefined,
    },
    "window-results-null": {
      performed: (window, _, seen) => {
        const wanted = metrics(seen).length > 0;
        if (isObject(window) === wanted) return undefined;
        return wanted ? "null, although the request has metrics" : "statistics, although the request has no metrics";
      },
    },
    "results-without-values": { unchecked: "a response does not say which metrics have values" },
    "buckets-zone": {
      performed: (zone, _, seen) => {
        const wanted = bodyOf(seen)["timezone"] ?? "UTC";
        return zone === wanted ? undefined : `${String(zone)} for ${textOf(wanted)}`;
      },
    },
    "bucket-size": {
      performed: (granularity, { start, end }, seen) => {
        if (metrics(seen).length === 0)
          return granularity === 3600 ? undefined : `${String(granularity)} without metrics`;
        const range = (Date.parse(String(end)) - Date.parse(String(start))) / 1000;
        const wanted = granularityOf(range, Number(bodyOf(seen)["granularity"] ?? 0));
        return granularity === wanted ? undefined : `${String(granularity)}, where ${wanted} follows from the request`;
      },
    },
    "buckets-complete": {
      performed: (value, stats, seen) => {
        const all = objectsIn(value);
        const [start, whole] = [Date.parse(String(stats["start"])), Date.parse(String(stats["end"]))];
        // An end may be less than a millisecond after the last bucket starts.
        const end = /\.\d{3}\d*[1-9]/.test(String(stats["end"])) ? whole + 1 : whole;
        if (metrics(seen).length === 0 || start === end) return all.length === 0 ? undefined : `${all.length} buckets`;
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
        return first + size <= start || last + size < end ? "buckets that do not cover the window" : undefined;
      },
    },
    "bucket-start": {
      performed: (value, { granularity, timezone }) => {
        // When clocks change, days and hours have other lengths.
        if (timezone !== "UTC") return undefined;
        const odd = objectsIn(value).find(
          ({ timestamp }) => Date.parse(String(timestamp)) % (Number(granularity) * 1000),
        );
        return odd === undefined ? undefined : "a bucket that does not start at a multiple of its size";
      },
    },
    "bucket-clocks": { unchecked: "no request of a run has a window in which clocks change" },
    "bucket-day": { unchecked: "no request of a run has a window in which clocks change" },
    "bucket-keys": {
      performed: (_, bucket, seen) => {
        const wanted = metrics(seen).flatMap((metric) => resultsOf(metric).map((name) => `${name}_${slug(metric)}`));
        const missing = wanted.find((name) => !(name in bucket));
        if (missing !== undefined) return `no ${missing}`;
        const expected = new Set(["timestamp", "count", ...wanted]);
        const strange = Object.keys(bucket).find((name) => !expected.has(name));
        return strange === undefined ? undefined : `${strange}, which the request does not include`;
      },
    },
    "bucket-count": (count, bucket) => {
      if (Number(count) < 0) return String(count);
      const larger = Object.entries(bucket).find(
        ([name, value]) => name.startsWith("count_") && typeof value === "number" && value > Number(count),
      );
      return larger === undefined ? undefined : `${String(count)}, where ${larger[0]} is ${String(larger[1])}`;
    },
    "bucket-offset": {
      performed: (timestamp, _, seen) => {
        const zone = bodyOf(seen)["timezone"] ?? "UTC";
        if (zone === "UTC") return isUtc(timestamp) ? undefined : String(timestamp);
        const shown = zoneTime(String(timestamp), textOf(zone));
        return shown === undefined || String(timestamp).startsWith(shown)
          ? undefined
          : `${String(timestamp)} in ${textOf(zone)}`;
      },
    },
    "stats-credentials": { tried: "with basicKey" },
    "stats-project": { unchecked: "a run has the key of one entity" },
    "trigger-default": { unchecked: "a run does not know what has fed back" },
    "trigger-match": { unchecked: "a run does not know what has fed back" },
    "metric-path": { tried: "with a value that does not match the pattern at `metrics[].json_path`" },
    "metric-path-spaces": { unchecked: "it is a permission" },
  };

const total = (all: number[]): number => all.reduce((sum, value) => sum + value, 0);

/** The local time of a zone at an instant: `2026-03-08T00:00`. */
function zoneTime(instant: string, zone: string): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
    const shown = parts.format(new Date(instant)).replace(" ", "T");
    // RFC 3339 has no local time after the year 9999.
    return /^\d{4}-/.test(shown) ? shown : undefined;
  } catch {
    return undefined;
  }
}
