import { granularityOf, resultNames, slugOf } from "@trainyard/auxiliary/statistics";
import type { Metric } from "@trainyard/auxiliary";
import { contentHash } from "@trainyard/host";
import { textOf } from "../../text.ts";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import {
  bodyOf,
  each,
  echo,
  list,
  hasOffset,
  notEmpty,
  objectsIn,
  performed,
  type AuxiliaryRule,
  type Check,
  type Row,
  type Seen,
} from "./rule.ts";

/** The names of the results of each requested metric, by its name in the keys of a response. */
function requestedIn(seen: Seen): [slug: string, names: string[]][] {
  // A request with another form is rejected, and so has no results.
  const metrics = objectsIn(bodyOf(seen)["metrics"]) as unknown as Metric[];
  return metrics.map((metric) => [slugOf(metric.json_path), resultNames(metric)]);
}

const isUtc = (value: unknown): boolean => /(?:[Zz]|[+-]00:00)$/.test(String(value));
const offset: Check = (time) => (hasOffset(time) ? undefined : String(time));
const differ = (a: number, b: number): boolean => Math.abs(a - b) > 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

/** A time without an offset is in UTC. */
const inUtc: Check = (time) => (isUtc(time) || !hasOffset(time) ? undefined : String(time));

const instant = (time: string): number => Date.parse(hasOffset(time) ? time : `${time}Z`);

const edge = (name: "start" | "end"): Row =>
  performed((time, _, seen) => {
    const wanted = bodyOf(seen)[name];
    if (typeof wanted !== "string") return undefined;
    return instant(wanted) === instant(String(time)) ? undefined : `${String(time)} for ${wanted}`;
  });

/** That an object has exactly the requested results, beside the fixed ones. */
function unlike(found: JsonObject, wanted: readonly string[], fixed: readonly string[] = []): string | undefined {
  const missing = wanted.find((name) => !(name in found));
  if (missing !== undefined) return `no ${missing}`;
  const strange = Object.keys(found).find((name) => !wanted.includes(name) && !fixed.includes(name));
  return strange === undefined ? undefined : `${strange}, which the request does not include`;
}

const total = (all: number[]): number => all.reduce((sum, value) => sum + value, 0);

/** The result of the window that those of its buckets give, if they do. */
function combined(name: string, all: number[]): number | undefined {
  if (all.length > 0 && (name === "min" || name === "max")) return Math[name](...all);
  return all.length > 0 && /^(sum$|count)/.test(name) ? total(all) : undefined;
}

type Results = Readonly<Record<string, unknown>>;

/** The results of each metric with its own slug, in a bucket. */
function resultsOf(bucket: JsonObject, seen: Seen): Results[] {
  const all = requestedIn(seen);
  const own = all.filter(([slug]) => all.filter(([other]) => other === slug).length === 1);
  return own.map(([slug, names]) => Object.fromEntries(names.map((name) => [name, bucket[`${name}_${slug}`]])));
}

const firstOf = (all: readonly (string | undefined)[]) => all.find((found) => found !== undefined);

const isNumber = (value: unknown): value is number => typeof value === "number";

function discord(results: Results): string | undefined {
  const lost = Object.entries(results).find(([, value]) => value === null);
  if (lost !== undefined && isNumber(results["count"]) && results["count"] > 0)
    return `${lost[0]} null, with ${results["count"]} values`;
  const { sum, avg, count } = results;
  const share = (name: string): number =>
    name === "min" ? -1 : name === "max" ? 101 : Number(/^p(.+)$/.exec(name)?.[1] ?? NaN);
  const ordered = Object.keys(results).filter((name) => !Number.isNaN(share(name)));
  for (const all of [ordered.toSorted((a, b) => share(a) - share(b)), ["min", "avg", "max"]]) {
    const numbers = all.flatMap((name) => (isNumber(results[name]) ? [{ name, value: results[name] }] : []));
    const at = numbers.findIndex(({ value: low }, index) => {
      const high = numbers[index + 1]?.value ?? low;
      return low > high && differ(low, high);
    });
    const [low, high] = numbers.slice(at);
    if (at >= 0) return `${low?.name} ${low?.value}, above ${high?.name} ${high?.value}`;
  }
  if (isNumber(sum) && isNumber(avg) && isNumber(count) && count > 0 && differ(sum / count, avg))
    return `avg ${avg}, where sum ${sum} and count ${count} give ${sum / count}`;
  return undefined;
}

function notEmptyIn(results: Results, zero: RegExp): string | undefined {
  const [name, value] = Object.entries(results).find(([one, found]) => found !== (zero.test(one) ? 0 : null)) ?? [];
  return name === undefined ? undefined : `${name} ${String(value)}, without values`;
}

/** The results of a metric for the window, compared with those of its buckets. */
function unlikeBuckets(whole: JsonObject, slug: string, buckets: readonly JsonObject[]): string | undefined {
  const valuesOf = (name: string) => buckets.map((bucket) => bucket[`${name}_${slug}`]).filter(isNumber);
  const counts = valuesOf("count");
  for (const [name, value] of Object.entries(whole)) {
    // The window may start or end within a bucket; rows outside of the window are in neither.
    const all = valuesOf(name);
    const weighted = name === "avg" && counts.length === all.length && total(counts) > 0;
    const ofBuckets = weighted
      ? total(all.map((one, at) => one * (counts[at] ?? 0))) / total(counts)
      : combined(name, all);
    if (isNumber(value) && ofBuckets !== undefined && differ(value, ofBuckets))
      return `${name} ${value} of the window, and ${ofBuckets} of its buckets`;
  }
  return undefined;
}

const onlyIfIncluded = performed((value, _, seen) => {
  const wanted = bodyOf(seen)["include_tags_and_aliases"] === true;
  const there = Array.isArray(value);
  if (there === wanted) return undefined;
  return there ? "a list, although the request does not include it" : "null, for `include_tags_and_aliases: true`";
});

/** The rules of the auxiliary service: of feedback statistics, objects, hardware and errors. Those that another service has, too, stand with its rules. */
export const auxiliary: Readonly<Record<AuxiliaryRule, Row>> = {
  "window-start": edge("start"),
  "window-end": edge("end"),
  ...each(inUtc, "window-start-utc", "window-end-utc"),
  ...each(offset, "window-start-offset", "window-end-offset", "object-created-offset"),
  "window-order": { tried: "an end before the start" },
  "window-results": performed((window, { buckets }, seen) => {
    if (!isObject(window)) return undefined;
    for (const [slug, names] of requestedIn(seen)) {
      const whole = window[slug];
      if (!isObject(whole)) return `no ${slug}`;
      const missing = names.find((name) => !(name in whole));
      if (missing !== undefined) return `no ${missing} of ${slug}`;
      const found = discord(whole) ?? unlikeBuckets(whole, slug, objectsIn(buckets));
      if (found !== undefined) return found;
    }
    const slugs = requestedIn(seen).map(([slug]) => slug);
    return unlike(window, slugs);
  }),
  "window-results-null": performed((window, _, seen) => {
    const wanted = requestedIn(seen).length > 0;
    if (isObject(window) === wanted) return undefined;
    return wanted ? "null, although the request has metrics" : "statistics, although the request has no metrics";
  }),
  "results-without-values": performed((window) => {
    const empty = objectsIn(Object.values(Object(window))).filter(({ count }) => count === 0);
    return firstOf(empty.map((results) => notEmptyIn(results, /^count/)));
  }),
  "buckets-zone": performed((zone, _, seen) => {
    const wanted = bodyOf(seen)["timezone"] ?? "UTC";
    return zone === wanted ? undefined : `${String(zone)} for ${textOf(wanted)}`;
  }),
  "bucket-size": performed((granularity, { start, end }, seen) => {
    if (requestedIn(seen).length === 0)
      return granularity === 3600 ? undefined : `${String(granularity)} without metrics`;
    const range = (Date.parse(String(end)) - Date.parse(String(start))) / 1000;
    const wanted = granularityOf(range, Number(bodyOf(seen)["granularity"] ?? 0));
    return granularity === wanted ? undefined : `${String(granularity)}, where ${wanted} follows from the request`;
  }),
  "buckets-complete": performed((value, stats, seen) => {
    const all = objectsIn(value);
    const [start, whole] = [Date.parse(String(stats["start"])), Date.parse(String(stats["end"]))];
    // An end may be less than a millisecond after the last bucket starts.
    const end = /\.\d{3}\d*[1-9]/.test(String(stats["end"])) ? whole + 1 : whole;
    if (requestedIn(seen).length === 0 || start === end) return all.length === 0 ? undefined : `${all.length} buckets`;
    const times = all.map(({ timestamp }) => Date.parse(String(timestamp)));
    const [first, last] = [times[0], times.at(-1)];
    const size = Number(stats["granularity"]) * 1000;
    if (first === undefined || last === undefined) return "no bucket";
    if (times.some((time, index) => index > 0 && time <= (times[index - 1] ?? 0))) return "buckets that do not ascend";
    if (first > start) return `a first bucket at ${String(all[0]?.["timestamp"])}, after the start`;
    if (last >= end) return `a bucket at ${String(all.at(-1)?.["timestamp"])}, after the end`;
    if (changesClocks(all, stats)) return undefined;
    const gap = times.findIndex((time, index) => index > 0 && time - (times[index - 1] ?? 0) !== size);
    if (gap > 0)
      return `no bucket between ${String(all[gap - 1]?.["timestamp"])} and ${String(all[gap]?.["timestamp"])}`;
    // A bucket in which clocks change is longer: by up to a day, as in Samoa in 2011 and in Manila in 1844.
    const longest = size + (stats["timezone"] === "UTC" ? 0 : 86_400_000);
    return first + longest <= start || last + longest < end ? "buckets that do not cover the window" : undefined;
  }),
  "bucket-start": performed((value, stats) => {
    const all = objectsIn(value);
    if (changesClocks(all, stats)) return undefined;
    const clock = (time: unknown) => Date.parse(`${String(time).slice(0, 19)}Z`);
    const odd = all.find(({ timestamp }) => clock(timestamp) % (Number(stats["granularity"]) * 1000));
    return odd && `a bucket at ${String(odd["timestamp"])}, which is no multiple of its size`;
  }),
  ...each({ unchecked: "no request of a run has a window in which clocks change" }, "bucket-clocks", "bucket-day"),
  "bucket-keys": performed((_, bucket, seen) => {
    const wanted = objectsIn(bodyOf(seen)["metrics"]).flatMap(({ aggregations }) => list(aggregations));
    const missing = wanted.find((name) => !Object.keys(bucket).some((key) => key.startsWith(`${textOf(name)}_`)));
    return missing === undefined ? undefined : `no key that begins with ${textOf(missing)}_`;
  }),
  "bucket-slugs": performed((_, bucket, seen) => {
    const wanted = requestedIn(seen).flatMap(([slug, names]) => names.map((name) => `${name}_${slug}`));
    return unlike(bucket, wanted, ["timestamp", "count"]);
  }),
  "bucket-key-order": performed((_, bucket, seen) => {
    const names = requestedIn(seen).flatMap(([slug, all]) => all.map((name) => `${name}_${slug}`));
    const wanted = [...new Set(["timestamp", ...names, "count"])].filter((name) => name in bucket);
    const found = Object.keys(bucket).filter((name) => wanted.includes(name));
    return found.join() === wanted.join() ? undefined : found.join(", ");
  }),
  "bucket-results": performed((_, bucket, seen) => firstOf(resultsOf(bucket, seen).map(discord))),
  "bucket-without-values": performed((_, bucket, seen) => {
    const empty = resultsOf(bucket, seen).filter(({ count }) => bucket["count"] === 0 || count === 0);
    return firstOf(empty.map((results) => notEmptyIn(results, /^(count|sum$|avg$)/)));
  }),
  "bucket-count": (count, bucket) => {
    if (Number(count) < 0) return String(count);
    const larger = Object.entries(bucket).find(
      ([name, value]) => name.startsWith("count_") && typeof value === "number" && value > Number(count),
    );
    return larger === undefined ? undefined : `${String(count)}, where ${larger[0]} is ${String(larger[1])}`;
  },
  "bucket-offset": performed((timestamp, _, seen) => {
    const zone = bodyOf(seen)["timezone"] ?? "UTC";
    if (zone === "UTC") return isUtc(timestamp) ? undefined : String(timestamp);
    const shown = zoneTime(String(timestamp), textOf(zone));
    return shown === undefined || String(timestamp).startsWith(shown)
      ? undefined
      : `${String(timestamp)} in ${textOf(zone)}`;
  }),
  ...each({ tried: "with basicKey" }, "stats-credentials", "object-credentials"),
  ...each({ unchecked: "a run has the key of one entity" }, "stats-project", "object-project-name"),
  ...each({ unchecked: "a run does not know what has fed back" }, "trigger-default", "trigger-match"),
  "metric-path": { unchecked: "a run sends only paths that are allowed" },
  ...each({ unchecked: "it is a permission" }, "metric-path-spaces", "price-decimals"),
  "metric-type-default": { unchecked: "no response says it" },
  "metric-aggregations-empty": { unchecked: "`bucket-slugs` checks which results there are" },
  "metric-percentiles": { unchecked: "a run does not know the values" },
  "object-project": echo("project_id"),
  "object-id": echo("object_id"),
  "object-hash": performed((digest, _, seen) => {
    // A hash is of the numbers as they were written, which only newer versions of Node.js tell.
    const { text } = seen.answer;
    if (!("rawJSON" in JSON) || bodyOf(seen)["metadata_only"] === true) return undefined;
    const wanted = contentHash(text, "obj", "val");
    return digest === wanted ? undefined : `${textOf(digest)} for a value with the hash ${wanted}`;
  }),
  "object-metadata-only": performed((value, _, seen) =>
    bodyOf(seen)["metadata_only"] !== true || (isObject(value) && Object.keys(value).length === 0)
      ? undefined
      : "`val` with a value, for `metadata_only: true`",
  ),
  ...each(onlyIfIncluded, "object-tags-null", "object-aliases-null"),
  "object-tags-sorted": (tags) => {
    const all = list(tags).map(String);
    return JSON.stringify(all) === JSON.stringify(all.toSorted()) ? undefined : all.join(", ");
  },
  "object-aliases-latest": (aliases, { is_latest: newest }) => {
    const [first, ...others] = list(aliases);
    if (first === undefined) return undefined;
    const fits = newest === 1 ? first === "latest" : first !== "latest" && !others.includes("latest");
    return fits ? undefined : `is_latest ${String(newest)}, and the aliases begin with ${textOf(first)}`;
  },
  "object-newest": performed((newest, { project_id: project, object_id: id, version_index: index }, seen, state) => {
    const key = JSON.stringify([project, id]);
    // What is read as `latest` is the newest that is left: the versions after it were deleted.
    const isLatest = bodyOf(seen)["digest"] === "latest";
    const last = Math.max((!isLatest && state.versions.get(key)) || 0, Number(index));
    state.versions.set(key, last);
    if (newest === 1 && Number(index) < last) return `1 for version ${String(index)}, where there is a version ${last}`;
    return isLatest && newest !== 1 ? `${String(newest)}, read as \`latest\`` : undefined;
  }),
  "object-version": performed((index, { aliases }, seen) => {
    const digest = String(bodyOf(seen)["digest"]);
    const wanted = Number(/^v(\d+)$/.exec(digest)?.[1] ?? index);
    if (Number(index) < 0) return String(index);
    const isNamed = /^(latest|v\d+|[\w-]{43})$/.test(digest);
    const hasAlias = !Array.isArray(aliases) || aliases.includes(digest);
    if (!isNamed && !hasAlias) return `${String(index)}, which is not ${digest}`;
    // A version that does not exist yet may be the alias of an earlier one.
    const isAlias = Number(index) < wanted && hasAlias;
    return wanted === index || isAlias ? undefined : `${String(index)}, read as ${digest}`;
  }),
  "object-deleted": performed((deleted) =>
    typeof deleted === "string" ? "a time, for a version that was read" : undefined,
  ),
  "object-version-once": { unchecked: "no operation adds or deletes a version" },
  ...each({ unchecked: "a run knows no object with aliases like `v3`" }, "object-digest", "object-digest-order"),
  "hardware-credential": { unchecked: "a run does not send a key where it does not belong" },
  "hardware-unknown-model": { tried: "with a model that does not exist" },
  "reason-sentence": notEmpty,
};

/** Whether the clocks change within buckets or where the first one starts, so that days and hours have other lengths. */
function changesClocks(buckets: readonly JsonObject[], { timezone }: JsonObject): boolean {
  const times = buckets.map(({ timestamp }) => String(timestamp));
  const offsets = new Set(times.map((time) => time.slice(19).replace(/^\.\d+/, "")));
  const minute = 60_000;
  const first = Date.parse(times[0] ?? "");
  const [before, at] = [first - minute, first].map((time) =>
    Number.isNaN(time) ? undefined : zoneTime(new Date(time).toISOString(), String(timezone)),
  );
  return offsets.size > 1 || Date.parse(`${at}Z`) - Date.parse(`${before}Z`) !== minute;
}

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
