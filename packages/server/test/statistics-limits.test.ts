import fc from "fast-check";
import { expect, it } from "vitest";
import { logMetrics } from "../src/logs/log-metrics.ts";
import { sharedServer } from "./lib.ts";

// Extreme requests that the document allows: none of them may make the server fail.
// A trainer that gets no jobs, so that the system check succeeds.
const server = sharedServer({ trainer: { command: [process.execPath], jobs: 0 } });
const window = { start: "2026-11-04T00:00:00Z", end: "2026-11-04T01:00:00Z", granularity: 3600 };
let count = 0;

/** Statistics of one metric `a.b` with these values. */
async function statsOf(values: readonly number[], metrics: object[], extra: object = {}) {
  const project = `team-0/limits-${count++}`;
  await server.import(
    "feedback",
    values.map((value, index) => ({
      id: `f${index}`,
      project_id: project,
      created_at: window.start,
      feedback_type: "x",
      payload: { a: { b: value } },
    })),
  );
  const body = { project_id: project, ...window, metrics, ...extra };
  return server.clients("team-0").auxiliary.feedback.stats(body as { project_id: string; start: string });
}

it("calculates thousands of metrics and of percentiles", { tags: ["long"] }, async () => {
  const percentiles = Array.from({ length: 2100 }, (_, index) => index / 21);
  const metrics = Array.from({ length: 900 }, (_, index) => ({ json_path: `m${index}`, aggregations: ["count"] }));
  const { window_stats: stats } = await statsOf([1, 2, 3], [{ json_path: "a.b", percentiles }, ...metrics]);
  expect(Object.keys(stats ?? {})).toHaveLength(901);
  for (const percentile of percentiles) {
    expect(stats?.["a_b"]?.[`p${percentile}`]).toBeCloseTo(1 + percentile / 50, 9);
  }
  expect(stats?.["a_b"]).toMatchObject({ avg: 2, min: 1, max: 3 });
});

it("rejects a response of hundreds of megabytes, and says how to reduce it", async () => {
  const percentiles = Array.from({ length: 1000 }, (_, index) => index / 10);
  const error = await statsOf([], [{ json_path: "a", percentiles }], { granularity: 1 }).catch((e: unknown) => e);
  expect(error).toMatchObject({ status: 422, message: expect.stringMatching(/3,610,800 numbers.* larger buckets/) });
});

it("calculates means, sums and percentiles correctly up to the end of the range of numbers", async () => {
  const large = fc.double({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE, noNaN: true });
  const values = fc.array(fc.oneof(large, fc.constantFrom(1.7e308, -1.7e308, 1, 0)), { minLength: 1, maxLength: 6 });
  const metrics = [{ json_path: "a.b", aggregations: ["avg", "sum"], percentiles: [0, 25, 50, 100] }];
  await fc.assert(
    fc.asyncProperty(values, async (numbers) => {
      const { buckets } = await statsOf(numbers, metrics);
      // Divided by 2^8, no value leaves the range.
      const scaled = numbers.map((value) => value / 256).toSorted((a, b) => a - b);
      const sum = scaled.reduce((total, value) => total + value, 0);
      const at = (part: number) => {
        const position = part * (scaled.length - 1);
        const [low = 0, high = 0] = [scaled[Math.floor(position)], scaled[Math.ceil(position)]];
        return low + (high - low) * (position - Math.floor(position));
      };
      const expected = { avg: sum / scaled.length, sum, p0: at(0), p25: at(0.25), p50: at(0.5), p100: at(1) };
      const peak = Math.max(...scaled.map(Math.abs), 1e-300);
      for (const [name, value] of Object.entries(expected)) {
        const found = Number(buckets[0]?.[`${name}_a_b`]) / 256;
        const bounded = Math.max(-Number.MAX_VALUE / 256, Math.min(Number.MAX_VALUE / 256, value));
        expect([name, Math.abs(found - bounded) / peak < 1e-9]).toEqual([name, true]);
      }
    }),
    { numRuns: 25 },
  );
});

it("calculates the deviation of large rewards correctly", () => {
  const trajectories = [1.7e308, -1.7e308].map((reward) => ({ reward }));
  const { metrics } = logMetrics({ split: "s", trajectory_groups: [{ trajectories }] });
  expect(metrics).toMatchObject({ "s/reward": 0, "s/reward_std_dev": 1.7e308 });
});

it.each(["UTC", "Pacific/Kiritimati", "America/New_York"])(
  "supports the last day of the year 9999, in %s",
  async (timezone) => {
    const last = { start: "9999-12-31T00:00:00Z", end: "9999-12-31T23:59:59.999999Z", granularity: 3600, timezone };
    const { end, buckets } = await statsOf([], [{ json_path: "a" }], last);
    expect(end).toBe(last.end);
    expect(buckets.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
      Array.from({ length: 24 }, (_, hour) => Date.UTC(9999, 11, 31, hour)),
    );
    // Midnight in Kiritimati is 10:00 UTC, so the local year of the instant has five digits.
    expect(buckets.every(({ timestamp }) => /^9999-12-3\dT.{8}[+-]\d\d:\d\d$/.test(timestamp))).toBe(true);
    const beyond = { ...last, end: "9999-12-31T23:00:00-02:00" };
    await expect(statsOf([], [{ json_path: "a" }], beyond)).rejects.toThrow("must end before the year 10000");
  },
);

it("continues if the clock jumps to the end of time and back", async () => {
  const { training } = server.clients("team-3");
  const create = (name: string, idempotencyKey: string) =>
    training.models.create({ project: "p", name, base_model: "demo/tiny" }, { idempotencyKey });
  const before = await create("before", "k1");
  for (const now of ["9999-12-31T23:59:59.999Z", "0001-01-03T00:00:00Z", "1969-12-31T23:59:59Z"]) {
    server.setClock(new Date(now));
    const model = await create(now.slice(0, 4), now);
    await training.models.log(model.id, { split: "s", trajectory_groups: [{ trajectories: [{ reward: 1 }] }] });
    const { id } = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [] });
    expect((await training.trainingJobs.get(id)).id).toBe(id);
    await expect(training.health.systemCheck()).resolves.toMatchObject({ database: { success: true } });
    await statsOf([], [{ json_path: "a" }], { start: "9999-12-31T00:00:00Z", end: null }).catch((error: unknown) =>
      expect(error).toMatchObject({ status: 422 }),
    );
  }
  server.setClock(undefined);
  expect((await training.models.checkpoints.list(before.id)).data).toHaveLength(1);
});
