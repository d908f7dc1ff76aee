import { createTrainingClient } from "@trainyard/training";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { kinds } from "./calls.ts";
import { faults } from "./faults.ts";
import { run } from "./run.ts";

let played: Awaited<ReturnType<typeof run>>;
const unhandled: unknown[] = [];

beforeAll(async () => {
  process.on("unhandledRejection", (reason) => unhandled.push(reason));
  played = await run();
});

it.each(faults)("$title", (fault) => {
  const outcomes = kinds.map((kind) => `${kind}: ${played.get(fault)?.get(kind) ?? "-"}`);
  expect(outcomes).toEqual(kinds.map((kind, index) => `${kind}: ${fault.outcomes[index]}`));
});

it("has every 4xx status that the client retries", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const retried: number[] = [];
  for (let status = 400; status < 500; status++) {
    let sent = 0;
    const fetch = () => Promise.resolve(new Response("{}", { status: (sent++, status) }));
    const client = createTrainingClient({ baseUrl: "http://127.0.0.1", apiKey: "key", fetch, maxRetries: 1 });
    const ended = Promise.allSettled([client.trainingJobs.get("j")]);
    await vi.runAllTimersAsync();
    await ended;
    if (sent > 1) retried.push(status);
  }
  expect(retried).not.toEqual([]);
  expect(faults.map(({ title }) => title)).toEqual(
    expect.arrayContaining(retried.map((status) => `${status}, Retry-After: 90`)),
  );
});

it("leaves no unhandled rejection", async () => {
  // They are reported when the microtask queue is empty.
  await new Promise((done) => setImmediate(done));
  expect(unhandled).toEqual([]);
});
