import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import {
  AbortError,
  NotFoundError,
  ServerError,
  TrainingFailedError,
  TrainyardError,
  type TrainingJobEvent,
} from "../index.ts";
import { ended, failed, jobId, jobService, soon, started, step, stopClock } from "../../test/job-service.ts";

const refused = (): TypeError =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("why"), { code: "ECONNREFUSED" }) });
const status = (code: number, headers: Record<string, string> = {}): Response =>
  Response.json({ detail: "No." }, { status: code, headers });

async function all(events: AsyncIterable<TrainingJobEvent>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) ids.push(id);
  return ids;
}

const gaps = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => Math.floor(time - (times[index] ?? 0)));

afterEach(() => vi.restoreAllMocks());

it("yields the same events whether they arrive later, in pages, or twice", async () => {
  stopClock();
  const job = [started, ...Array.from({ length: 6 }, (_, index) => step(`s${index}`)), ended()];
  const cuts = fc.array(fc.record({ upTo: fc.nat(job.length), again: fc.nat(3), fails: fc.boolean() }), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(cuts, fc.integer({ min: 1, max: 4 }), async (cuts, size) => {
      const polls = cuts
        .toSorted((a, b) => a.upTo - b.upTo)
        .flatMap(({ upTo, again, fails }) => {
          const shown = job.slice(0, upTo);
          // What comes twice stands at the end, as after a read from a copy that lags behind.
          return [...(fails ? [status(503)] : []), [...shown, ...shown.slice(shown.length - again)]];
        });
      const { client } = jobService([...polls, job], size);
      expect(await soon(all(client.trainingJobs.follow(jobId)))).toEqual(job.map(({ id }) => id));
    }),
    { numRuns: 50 },
  );
});

it("polls every second, less often while there are no events, and every second again after one", async () => {
  stopClock();
  const quiet = Array.from({ length: 12 }, () => [started]);
  const { client, polls } = jobService([[], ...quiet, [started, step("e2")], [started, step("e2"), ended()]]);
  await soon(all(client.trainingJobs.follow(jobId)));
  const waits = gaps(polls());
  // A wait is one millisecond longer than requested, so that it is never shorter.
  expect(waits[0]).toBe(1001);
  expect(waits.slice(1, 5)).toEqual([1001, 1251, 1563, 1954]);
  expect(waits.slice(9, -1).every((wait) => wait === 5001)).toBe(true);
  expect(waits.at(-1)).toBe(1001);
});

it("polls every pollMs, and waits at most five times as long", async () => {
  stopClock();
  const quiet = Array.from({ length: 12 }, () => [started]);
  const { client, polls } = jobService([...quiet, [started, ended()]]);
  await soon(all(client.trainingJobs.follow(jobId, { pollMs: 100 })));
  const waits = gaps(polls());
  expect(waits[0]).toBe(101);
  expect(waits.at(-1)).toBe(501);
});

it("throws TrainingFailedError on training_failed", async () => {
  stopClock();
  const { client } = jobService([[started, failed]]);
  const given: string[] = [];
  const result = await soon(
    (async () => {
      for await (const { id } of client.trainingJobs.follow(jobId)) given.push(id);
    })(),
  );
  const error: unknown = Object(result).rejected;
  expect(given).toEqual(["e1"]);
  expect(error).toBeInstanceOf(TrainingFailedError);
  expect(error).toBeInstanceOf(TrainyardError);
  expect(error).toMatchObject({
    name: "TrainingFailedError",
    jobId,
    event: failed,
    errorMessage: "The loss is no number.",
    operation: "trainingJobs.follow",
    attempts: 1,
  });
  expect(String(error)).toBe(
    `TrainingFailedError: trainingJobs.follow: the training job ${jobId} failed: The loss is no number.`,
  );
});

it("ends at once if it is aborted while it waits, and leaves no listener and no timer", async () => {
  stopClock();
  const { client, polls } = jobService([[started]]);
  const leaving = new AbortController();
  const added = vi.spyOn(leaving.signal, "addEventListener");
  const removed = vi.spyOn(leaving.signal, "removeEventListener");
  const failure = all(client.trainingJobs.follow(jobId, { signal: leaving.signal })).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1500);
  expect(polls()).toHaveLength(2);
  leaving.abort("enough");
  expect(await failure).toMatchObject({ name: "AbortError", cause: "enough" });
  expect(await failure).toBeInstanceOf(AbortError);
  expect(vi.getTimerCount()).toBe(0);
  const kept = new Set(added.mock.calls.map(([, listener]) => listener));
  for (const [, listener] of removed.mock.calls) kept.delete(listener);
  expect(added).toHaveBeenCalled();
  expect(kept.size).toBe(0);
});

it("yields no further event once it is aborted", async () => {
  stopClock();
  const { client, polls } = jobService([[started, step("e2"), ended()]]);
  const leaving = new AbortController();
  const given: string[] = [];
  const result = await soon(
    (async () => {
      for await (const { id } of client.trainingJobs.follow(jobId, { signal: leaving.signal })) {
        given.push(id);
        leaving.abort();
      }
    })(),
  );
  expect(Object(result).rejected).toBeInstanceOf(AbortError);
  expect(given).toEqual(["e1"]);
  expect(polls()).toHaveLength(1);
});

it("stops on break", async () => {
  stopClock();
  const { client, polls } = jobService([[started, step("e2")]]);
  for await (const { id } of client.trainingJobs.follow(jobId)) if (id === "e2") break;
  await vi.runAllTimersAsync();
  expect(polls()).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

it.each<[string, Response | Error]>([
  ["500", status(500)],
  ["503", status(503)],
  ["429 with a time", status(429, { "retry-after": "20" })],
  ["408", status(408)],
  ["a refused connection", refused()],
  ["a broken connection", new TypeError("fetch failed")],
])("continues after a minute of %s, where it stopped", async (_, fault) => {
  stopClock();
  const faults = Array.from({ length: 8 }, () => fault);
  const { client, requests } = jobService([[started], ...faults, [started, ended()]]);
  expect(await soon(all(client.trainingJobs.follow(jobId, { totalTimeoutMs: 200_000 })))).toEqual(["e1", "end"]);
  expect(requests.slice(1).every(({ after }) => after === "e1")).toBe(true);
});

it("continues although the client itself does not retry", async () => {
  stopClock();
  const { client } = jobService([status(503), status(503), status(503), [started, ended()]], 20, { maxRetries: 0 });
  expect(await soon(all(client.trainingJobs.follow(jobId)))).toEqual(["e1", "end"]);
});

it("ends with the last failure if an outage is longer than totalTimeoutMs", async () => {
  stopClock();
  const { client, polls } = jobService([[started], status(503)]);
  const result = await soon(all(client.trainingJobs.follow(jobId, { totalTimeoutMs: 60_000 })));
  expect(Object(result).rejected).toBeInstanceOf(ServerError);
  const [, first = 0, ...others] = polls();
  expect((others.at(-1) ?? 0) - first).toBeGreaterThan(45_000);
  expect((others.at(-1) ?? 0) - first).toBeLessThan(60_000);
});

it("survives an outage of five minutes by default", async () => {
  stopClock();
  const { client, polls } = jobService([status(503)]);
  await soon(all(client.trainingJobs.follow(jobId)));
  expect(polls().at(-1)).toBeGreaterThan(280_000 + (polls()[0] ?? 0));
});

it.each([400, 401, 403, 404, 422])("ends at once on %i", async (code) => {
  stopClock();
  const { client, polls } = jobService([[started], status(code)]);
  expect(Object(await soon(all(client.trainingJobs.follow(jobId)))).rejected).toMatchObject({ status: code });
  expect(polls()).toHaveLength(2);
});

it("ends if the service asks for a longer wait than the retry rules obey, and reports it", async () => {
  stopClock();
  const { client } = jobService([status(429, { "retry-after": "90" })]);
  expect(Object(await soon(all(client.trainingJobs.follow(jobId)))).rejected).toMatchObject({ retryAfterMs: 90_000 });
});

it("resumes after a stored event", async () => {
  stopClock();
  const service = jobService([
    [started, step("e2"), step("e3")],
    [started, step("e2"), step("e3"), ended()],
  ]);
  service.job = { status: "running" };
  expect(await soon(all(service.client.trainingJobs.follow(jobId, { after: "e2" })))).toEqual(["e3", "end"]);
  expect(service.requests.map(({ after }) => after)).toEqual([null, "e2", "e3"]);
});

it("ends if it is resumed after the last event", async () => {
  stopClock();
  const service = jobService([[started, ended()]]);
  service.job = { status: "completed" };
  expect(await soon(all(service.client.trainingJobs.follow(jobId, { after: "end" })))).toEqual([]);

  const bad = jobService([[started, failed]]);
  bad.job = { status: "failed", error_message: "The loss is no number." };
  const result = await soon(all(bad.client.trainingJobs.follow(jobId, { after: "bad" })));
  expect(Object(result).rejected).toMatchObject({
    name: "TrainingFailedError",
    jobId,
    errorMessage: "The loss is no number.",
  });
});

it("yields the events between a stored event and the end of a job", async () => {
  stopClock();
  const service = jobService([[started, step("e2"), ended()]], 1);
  service.job = { status: "completed" };
  expect(await soon(all(service.client.trainingJobs.follow(jobId, { after: "e1" })))).toEqual(["e2", "end"]);
});

it("sends no request before it is read", async () => {
  const { client, requests } = jobService([status(404)]);
  const events = client.trainingJobs.follow(jobId);
  expect(requests).toEqual([]);
  await expect(all(events)).rejects.toBeInstanceOf(NotFoundError);
});
