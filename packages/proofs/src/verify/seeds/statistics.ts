import { isObject } from "@trainyard/core/validation";
import { items, json, type SeedRow } from "../seed.ts";

/** Divergences in statistics. */
export const statistics: readonly SeedRow[] = [
  {
    title: "the counts of the buckets do not add up",
    on: "auxiliary feedback.stats",
    names: /count|bucket/,
    change: json((stats) => {
      for (const bucket of items(stats, "buckets")) bucket["count"] = Number(bucket["count"]) + 1;
    }),
  },
  {
    title: "a bucket is missing",
    on: "auxiliary feedback.stats",
    names: /bucket/,
    change: json((stats) => void (stats["buckets"] = items(stats, "buckets").filter((_, index) => index !== 1))),
  },
  {
    title: "the end of the window is another",
    on: "auxiliary feedback.stats",
    names: /`end`/,
    change: json((stats) => void (stats["end"] = "2026-11-06T00:00:00Z")),
  },
  {
    title: "the times of the window are not in UTC",
    on: "auxiliary feedback.stats",
    names: /UTC/,
    change: json((stats) => void (stats["start"] = String(stats["start"]).replace("00:00:00Z", "01:00:00+01:00"))),
  },
  {
    title: "the requested time zone is ignored",
    on: "auxiliary feedback.stats",
    names: /timezone|time zone/,
    change: async (answer, { body, forward }) => {
      if (isObject(body)) Object.assign(answer, await forward({ body: { ...body, timezone: "UTC" } }));
    },
  },
  {
    title: "percentiles are missing",
    on: "auxiliary feedback.stats",
    names: /p\d+/,
    change: json((stats) => {
      for (const bucket of items(stats, "buckets"))
        for (const name of Object.keys(bucket)) if (/^p\d/.test(name)) delete bucket[name];
    }),
  },
  {
    title: "the sum of the window differs from the sum of its buckets",
    on: "auxiliary feedback.stats",
    names: /window/,
    change: json(({ window_stats: window }) => {
      for (const stats of Object.values(isObject(window) ? window : {}))
        if (isObject(stats) && typeof stats["sum"] === "number") stats["sum"] += 1;
    }),
  },
  {
    title: "the requested bucket size is ignored",
    on: "auxiliary feedback.stats",
    names: /granularity/,
    change: async (answer, { body, forward }) => {
      if (isObject(body) && body["granularity"])
        Object.assign(answer, await forward({ body: { ...body, granularity: 0 } }));
    },
  },
];
