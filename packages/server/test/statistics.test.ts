import fc from "fast-check";
import { expect, it } from "vitest";
import { sharedServer } from "./lib.ts";
import { plainAggregations, plainEdges, plainNumbers, slugOf, type PlainMetric, type Row } from "./plain-statistics.ts";

const server = sharedServer();

/** Clock changes: by an hour, by half an hour, by two, over midnight in both directions, by a whole day. */
const changes: [zone: string, day: string][] = [
  ["America/New_York", "2024-03-10"],
  ["America/New_York", "2024-11-03"],
  ["America/Havana", "2024-03-10"],
  ["America/Havana", "2024-11-03"],
  ["America/Sao_Paulo", "2018-11-04"],
  ["America/Sao_Paulo", "2018-02-18"],
  ["America/St_Johns", "2006-04-02"],
  ["Europe/London", "2024-10-27"],
  ["Australia/Lord_Howe", "2024-04-06"],
  ["Australia/Lord_Howe", "2024-10-05"],
  ["Africa/Casablanca", "2024-03-10"],
  ["Pacific/Chatham", "2024-04-06"],
  ["Antarctica/Troll", "2024-03-31"],
  ["Antarctica/Troll", "2024-10-27"],
  ["Pacific/Apia", "2011-12-30"],
  ["Asia/Tehran", "2022-03-21"],
  ["Asia/Tehran", "2022-09-21"],
  ["Asia/Kathmandu", "1985-12-31"],
  ["UTC", "1969-12-31"],
];

// Violations of the shared server fail the file at its end.
it.each<[what: string, zone: string, start: string, end: string, size: number, starts: string[]]>([
  [
    "skip its beginning",
    "Asia/Kathmandu",
    "1985-12-31T18:30:00Z",
    "1986-01-01T12:00:00Z",
    21_600,
    ["00:15", "06:00", "12:00"].map((time) => `1986-01-01T${time}:00+05:45`),
  ],
  [
    "make it longer",
    "America/New_York",
    "2024-11-03T07:30:00Z",
    "2024-11-03T07:45:00Z",
    10_800,
    ["2024-11-03T00:00:00-04:00"],
  ],
])(
  "starts the first bucket where the clocks %s, as the checked rules permit",
  async (_, timezone, start, end, granularity, starts) => {
    const { auxiliary } = server.clients(server.fresh());
    const metrics = [{ json_path: "score", aggregations: ["sum" as const] }];
    const project_id = `${server.fresh()}/p`;
    const { buckets } = await auxiliary.feedback.stats({ project_id, start, end, granularity, timezone, metrics });
    expect(buckets.map(({ timestamp }) => timestamp)).toEqual(starts);
  },
);

const paths = ["score", "output.score", "out put.score", "ok", "label", "a.b.c", ".", "list.0"];
const value = fc.oneof(
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  fc.integer({ min: -5, max: 5 }),
  fc.boolean(),
  fc.constantFrom("x", "true", "1"),
  fc.constant(null),
  fc.constant([1]),
);
const payload = fc
  .array(fc.tuple(fc.constantFrom(...paths), value), { maxLength: 6 })
  .map((entries) => entries.reduce((object, [path, leaf]) => put(object, path.split("."), leaf), {}));

function put(object: object, [key = "", ...rest]: string[], leaf: unknown): object {
  if (rest.length === 0) return { ...object, [key]: leaf };
  const inner: unknown = Object.entries(object).find(([name]) => name === key)?.[1];
  return {
    ...object,
    [key]: put(typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : {}, rest, leaf),
  };
}

const metric: fc.Arbitrary<PlainMetric> = fc
  .record({
    json_path: fc.constantFrom(...paths),
    value_type: fc.constantFrom("numeric" as const, "boolean" as const, "categorical" as const),
    percentiles: fc.uniqueArray(fc.constantFrom(0, 5, 12.5, 50, 90, 99.9, 100), { maxLength: 3 }),
    wanted: fc.uniqueArray(fc.constantFrom(...plainAggregations)),
  })
  .map(({ wanted, ...rest }) => ({
    ...rest,
    aggregations: wanted.filter(
      (name) =>
        rest.value_type === "boolean" ||
        name === "count" ||
        (rest.value_type === "numeric" && !name.startsWith("count_")),
    ),
  }));

const request = fc.record({
  change: fc.constantFrom(...changes),
  shift: fc.integer({ min: -86_400_000, max: 86_400_000 }),
  length: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 86_400_000 * 2 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 31 * 86_400_000 }) },
  ),
  size: fc.constantFrom(60, 300, 900, 1800, 3600, 5400, 7200, 21_600, 43_200, 86_400, 129_600, 604_800),
  metrics: fc.uniqueArray(metric, { minLength: 1, maxLength: 3, selector: ({ json_path }) => slugOf(json_path) }),
  rows: fc.array(
    fc.record({
      part: fc.double({ min: -0.1, max: 1.1, noNaN: true }),
      type: fc.constantFrom("thumbs", "score"),
      ref: fc.constantFrom("m:v1", "m:v2", "m-2:v1", "m:", "m", null),
      payload,
    }),
    { maxLength: 30 },
  ),
  type: fc.constantFrom(undefined, undefined, "thumbs"),
  ref: fc.constantFrom(undefined, undefined, "m:v1", "m:*", "m-2:*", "*"),
});

it("agrees with a reference computation, in any zone, over any range", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(request, async ({ change: [zone, day], shift, length, size, metrics, rows, type, ref }) => {
      const entity = "team-0";
      const project = `${entity}/plain-${count++}`;
      const start = Date.parse(day) + shift;
      const end = start + length;
      const data: Row[] = rows.map(({ part, ...row }) => ({ ...row, at: Math.round(start + part * length) }));
      await server.import(
        "feedback",
        data.map(({ at, type: feedback_type, ref: trigger_ref, payload: content }, index) => ({
          id: `f${index}`,
          project_id: project,
          created_at: new Date(at).toISOString(),
          feedback_type,
          trigger_ref,
          payload: content,
        })),
      );
      const answer = await server.clients(entity).auxiliary.feedback.stats({
        project_id: project,
        start: new Date(start).toISOString(),
        end: new Date(end).toISOString(),
        timezone: zone,
        granularity: size,
        metrics,
        ...(type !== undefined && { feedback_type: type }),
        ...(ref !== undefined && { trigger_ref: ref }),
      });
      const kept = data.filter(
        (row) =>
          row.at >= start &&
          row.at < end &&
          (type === undefined || row.type === type) &&
          (ref === undefined ||
            (ref.endsWith(":*") ? row.ref?.startsWith(ref.slice(0, -1)) === true : row.ref === ref)),
      );
      const used = answer.granularity;
      expect(used).toBe(Math.ceil(length / 1000 / size) > 10_000 ? Math.trunc(length / 1000 / 10_000) + 1 : size);
      if (used % 60 !== 0) return;
      const edges = length === 0 ? [] : plainEdges(start / 1000, end / 1000, used, zone);
      expect(answer.buckets.map(({ timestamp }) => Date.parse(timestamp) / 1000)).toEqual(edges);
      for (const [index, edge] of edges.entries()) {
        const next = edges[index + 1] ?? Number.POSITIVE_INFINITY;
        const inBucket = kept.filter(({ at }) => at >= edge * 1000 && at < next * 1000);
        expect(answer.buckets[index]?.count).toBe(inBucket.length);
        expect(Object.keys(answer.buckets[index] ?? {})).toEqual([
          "timestamp",
          ...metrics.flatMap((one) =>
            Object.keys(plainNumbers([], one, 0)).map((name) => `${name}_${slugOf(one.json_path)}`),
          ),
          "count",
        ]);
        for (const one of metrics) {
          for (const [name, number] of Object.entries(plainNumbers(inBucket, one, 0))) {
            near(answer.buckets[index]?.[`${name}_${slugOf(one.json_path)}`], number);
          }
        }
      }
      for (const one of metrics) {
        const numbers = plainNumbers(kept, one, null);
        const window = answer.window_stats?.[slugOf(one.json_path)];
        expect(Object.keys(window ?? {})).toEqual(Object.keys(numbers));
        for (const [name, number] of Object.entries(numbers)) near(window?.[name], number);
      }
    }),
    { numRuns: Number(process.env["FUZZ_STATISTICS"] ?? 10) },
  );
}, 600_000);

function near(found: unknown, expected: number | null): void {
  if (expected === null || typeof found !== "number") expect(found).toBe(expected);
  else expect(Math.abs(found - expected)).toBeLessThan(1e-9 * Math.max(1, Math.abs(expected)));
}

async function stats(body: object) {
  const { auxiliary } = server.clients("team-1");
  return auxiliary.feedback.stats({ project_id: "team-1/cases", ...body } as { project_id: string; start: string });
}

const score = [{ json_path: "score" }];

it.each([
  [undefined, 86_400, 21_600, 4],
  [null, 7200, 300, 24],
  [0, 43_200, 3600, 12],
  [undefined, 3 * 86_400, 21_600, 12],
  [undefined, 14 * 86_400, 43_200, 28],
  [undefined, 31 * 86_400, 86_400, 31],
  [undefined, 7201, 3600, 3],
  [undefined, 43_201, 21_600, 3],
  [undefined, 3 * 86_400 + 1, 43_200, 7],
  [undefined, 14 * 86_400 + 1, 86_400, 15],
  [1, 10_000, 1, 10_000],
  [1, 10_001, 2, 5001],
  [60, 2_678_400, 268, undefined],
])("resolves the granularity %s over %i s to %i s", async (granularity, range, size, count) => {
  const start = Date.UTC(2024, 0, 1);
  const end = new Date(start + range * 1000).toISOString();
  const body = { start: new Date(start).toISOString(), end, metrics: score };
  const answer = await stats(granularity === undefined ? body : { ...body, granularity });
  expect(answer.granularity).toBe(size);
  if (count !== undefined) expect(answer.buckets).toHaveLength(count);
});

it("returns no numbers without metrics, and no buckets for an empty window", async () => {
  const none = await stats({ start: "2024-01-01T00:00:00.25Z", end: "2024-01-02T00:00+01:00" });
  expect(none).toEqual({
    start: "2024-01-01T00:00:00.25Z",
    end: "2024-01-01T23:00:00Z",
    granularity: 3600,
    timezone: "UTC",
    buckets: [],
    window_stats: null,
  });
  const empty = await stats({ start: "2024-01-01T00:00Z", end: "2024-01-01T00:00Z", metrics: score });
  expect(empty).toMatchObject({ buckets: [], window_stats: { score: { avg: null, min: null, max: null } } });
});

it("counts a row on an edge in the bucket that starts there, and excludes a row at the end", async () => {
  const rows = ["06:00:00", "05:59:59.999999", "12:00:00", "11:59:59.999999Z", "18:00:00.000001"];
  await server.import(
    "feedback",
    rows.map((time, index) => ({
      id: `f${index}`,
      project_id: "team-1/edges",
      // Without an offset, the time is in UTC.
      created_at: `2026-11-04T${time}`,
      feedback_type: "x",
      payload: { score: index },
    })),
  );
  const answer = await stats({
    project_id: "team-1/edges",
    start: "2026-11-04T06:00:00Z",
    end: "2026-11-04T18:00:00.000001Z",
    granularity: 21_600,
    metrics: [{ json_path: "score", aggregations: ["sum"] }],
  });
  expect(answer.buckets.map(({ timestamp, count }) => [timestamp.slice(11, 13), count])).toEqual([
    ["06", 2],
    ["12", 1],
    ["18", 0],
  ]);
  expect(answer.window_stats).toEqual({ score: { sum: 5 } });
});

it("uses the current time as the default end", async () => {
  server.setClock(new Date("2024-05-05T05:05:05Z"), { frozen: true });
  expect((await stats({ start: "2024-05-05T05:00Z", end: null })).end).toBe("2024-05-05T05:05:05Z");
  server.setClock(undefined);
});

it.each([
  [{ end: "2023-12-31T23:59:59Z" }, 422, ["body", "end"]],
  [{ end: "2024-02-01T00:00:00.000001Z" }, 422, ["body", "end"]],
  [{ timezone: "America/Gotham" }, 422, ["body", "timezone"]],
  [{ timezone: "+01:00" }, 422, ["body", "timezone"]],
  [{ granularity: -1 }, 422, ["body", "granularity"]],
  [{ metrics: [{ json_path: "a", jsonpath: "b" }] }, 422, ["body", "metrics", 0, "jsonpath"]],
  [{ metrics: [{ json_path: "a[0]" }] }, 400, undefined],
  [{ metrics: [{ json_path: "  " }] }, 400, undefined],
  [{ metrics: [{ json_path: "" }] }, 400, undefined],
  [{ metrics: [{ json_path: "a", percentiles: [101] }] }, 400, undefined],
  [{ metrics: [{ json_path: "a", value_type: "categorical", percentiles: [-1] }] }, 400, undefined],
  [{ metrics: [{ json_path: "a", aggregations: ["count_true"] }] }, 400, undefined],
  [{ metrics: [{ json_path: "a", value_type: "categorical", aggregations: ["avg"] }] }, 400, undefined],
  [{ metrics: [{ json_path: "a.b" }, { json_path: "a b" }] }, 400, undefined],
  [{ metrics: [{ json_path: "a", percentiles: [5, 5] }] }, 400, undefined],
])("rejects %j with %i", async (extra, status, loc) => {
  const error: unknown = await stats({ start: "2024-01-01T00:00Z", end: "2024-01-02T00:00Z", ...extra }).catch(
    (e: unknown) => e,
  );
  expect(error).toMatchObject({ status, body: loc ? { detail: [{ loc }] } : { error_type: "invalid_metric" } });
});

it("returns no rows of another entity", async () => {
  const row = {
    id: "f",
    project_id: "team-2/secret",
    created_at: "2024-01-01T00:00Z",
    feedback_type: "x",
    payload: { score: 1 },
  };
  await server.import("feedback", [row]);
  const body = { project_id: "team-2/secret", start: "2024-01-01T00:00Z", end: "2024-01-01T01:00Z", metrics: score };
  expect((await stats(body)).buckets[0]?.count).toBe(0);
  expect((await server.clients("team-2").auxiliary.feedback.stats(body)).buckets[0]?.count).toBe(1);
});
