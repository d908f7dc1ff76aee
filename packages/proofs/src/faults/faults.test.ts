import { MetFaults } from "@trainyard/testing";
import { createTrainingClient } from "@trainyard/training";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { calls, type Kind, kinds, type Target } from "./calls.ts";
import { type Fault, faults } from "./faults.ts";
import { type Cell, run } from "./run.ts";

const outcomeOf = (from: readonly Cell[], title: string, kind: Kind): string =>
  from.find((one) => one.fault.title === title && one.kind === kind)?.outcome ?? "-";

describe("fault table", () => {
  let played: Cell[] = [];
  const unhandled: unknown[] = [];

  beforeAll(async () => {
    process.on("unhandledRejection", (reason) => unhandled.push(reason));
    played = await run(calls);
  });

  it.each(faults)("$title", ({ title, outcomes }) => {
    expect(Object.fromEntries(kinds.map((kind) => [kind, outcomeOf(played, title, kind)]))).toEqual(
      Object.fromEntries(kinds.map((kind, index) => [kind, outcomes[index]])),
    );
  });

  it("met each fault", () => {
    const met = new MetFaults(...faults.map(({ title }) => title));
    // An outcome begins with the number of requests that met the fault.
    for (const { fault, outcome } of played) for (let at = 0; at < Number.parseInt(outcome); at++) met.met(fault.title);
    met.tell();
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
});

/** The outcome of one fault for a client that has only `get`. */
async function bad(title: string, get: (target: Target, url: string) => Promise<unknown>): Promise<string> {
  const call = async (target: Target): Promise<string> =>
    String(await get(target, `${target.baseUrl}/v1/preview/training-jobs/j`));
  const fault = faults.find((one): one is Fault => one.title === title);
  if (!fault) throw new Error(`The fault "${title}" does not exist.`);
  return outcomeOf(
    await run(Object(Object.fromEntries(kinds.map((kind) => [kind, call]))), { faults: [fault], guardMs: 20_000 }),
    title,
    "get",
  );
}

describe("fault table: detects in a worse client", { tags: ["long"] }, () => {
  it("a call that hangs", async () => {
    expect(await bad("stalls before the headers", ({ fetch }, url) => fetch(url))).toBe("1 hangs");
  });

  it("a request that is sent too soon", async () => {
    const twice = async ({ fetch }: Target, url: string): Promise<unknown> => {
      await fetch(url);
      await new Promise((done) => setTimeout(done, 1999));
      return (await fetch(url)).status;
    };
    expect(await bad("429, Retry-After: 2", twice)).toBe("2 wrong value, sent too soon");
  });

  it("a key that is sent to another origin", async () => {
    const get = async ({ fetch, apiKey }: Target, url: string): Promise<unknown> =>
      (await fetch(url, { headers: { "x-key": apiKey } })).text();
    expect(await bad("307 to another origin", get)).toBe("1 wrong value, key leaked");
  });

  it("a leaked connection and a leaked listener", async () => {
    const held: Response[] = [];
    onTestFinished(() => void held.splice(0));
    const get = async ({ fetch, signal }: Target, url: string): Promise<unknown> => {
      signal.addEventListener("abort", () => {});
      held.push(await fetch(url));
      throw new Error("no");
    };
    expect(await bad("stalls in the body", get)).toBe("1 Error, connection left, listener left");
  });
});
