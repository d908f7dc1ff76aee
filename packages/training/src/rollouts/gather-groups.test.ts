import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { AbortError, ConfigurationError, NotFoundError, RateLimitError } from "../index.ts";
import { type GatherProgress, gatherGroups } from "./index.ts";

/** Rollouts that end when the test says so. */
function byHand(): { rollout: (task: string) => Promise<{ reward: number }>; begun: string[]; end: (() => void)[] } {
  const begun: string[] = [];
  const end: (() => void)[] = [];
  return {
    begun,
    end,
    rollout: (task) => {
      const index = begun.push(task) - 1;
      return new Promise((resolve) => (end[index] = () => resolve({ reward: index })));
    },
  };
}
const soon = (): Promise<void> => new Promise((done) => setImmediate(done));

it("always runs as many attempts at once as permitted, and never more", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(6),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 9 }),
      fc.func(fc.nat(3)),
      async (tasks, attempts, concurrency, turns) => {
        let running = 0;
        let most = 0;
        let order = 0;
        const groups = await gatherGroups(
          Array.from({ length: tasks }, (_, task) => task),
          async (task, { attempt }) => {
            most = Math.max(most, ++running);
            for (let turn = turns(task, attempt); turn >= 0; turn--) await Promise.resolve();
            running--;
            if (order++ % 3 === 2) throw new Error("derailed");
            return { metadata: { task, attempt } };
          },
          { attempts, concurrency },
        );
        expect(most).toBe(Math.min(concurrency, tasks * attempts));
        expect(groups).toHaveLength(tasks);
        for (const [task, { trajectories, exceptions }] of groups.entries()) {
          expect(trajectories.length + exceptions.length).toBe(attempts);
          const tries = trajectories.map(({ metadata }) => Number(metadata?.["attempt"]));
          expect(tries).toEqual(tries.toSorted((a, b) => a - b));
          expect(trajectories.every(({ metadata }) => metadata?.["task"] === task)).toBe(true);
        }
      },
    ),
    { numRuns: 60 },
  );
});

it("attempts each task four times, eight at once, by default", async () => {
  const { rollout, begun, end } = byHand();
  const groups = gatherGroups(["a", "b", "c"], rollout);
  await soon();
  expect(begun.join("")).toBe("aaaabbbb");
  end[5]?.();
  await soon();
  expect(begun.join("")).toBe("aaaabbbbc");
  for (let index = 0; index < 12; index++) {
    end[index]?.();
    await soon();
  }
  expect((await groups).map(({ trajectories }) => trajectories.map(({ reward }) => reward))).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9, 10, 11],
  ]);
});

it("adds what a rollout throws to the exceptions of its group, and continues", async () => {
  const cause = new TypeError("no track");
  const thrown = [new RangeError("derailed", { cause }), "gone", undefined];
  const [group, other] = await gatherGroups(
    ["bad", "good"],
    (task, { attempt }) => {
      if (task === "bad" && attempt < 3) throw thrown[attempt];
      return { reward: attempt };
    },
    { attempts: 4 },
  );
  expect(group?.trajectories).toEqual([{ reward: 3 }]);
  expect(group?.exceptions).toEqual([
    {
      type: "RangeError",
      message: "derailed",
      traceback: expect.stringMatching(/^RangeError: derailed\n[^]+\nCaused by: TypeError: no track\n/),
    },
    { type: "string", message: "gone", traceback: "" },
    { type: "undefined", message: "undefined", traceback: "" },
  ]);
  expect(other?.exceptions).toEqual([]);
  expect(other?.trajectories).toHaveLength(4);
});

it("names an error of the client by its own name", async () => {
  const facts = { operation: "models.create", attempts: 3, outcomeUnknown: false };
  const error = new RateLimitError({ response: new Response(null, { status: 429 }), facts }, "", undefined);
  const [group] = await gatherGroups([1], () => Promise.reject(error), { attempts: 1 });
  expect(group?.exceptions[0]).toMatchObject({ type: "RateLimitError", message: "models.create: answered 429" });
});

describe("a batch that is refused as a whole", () => {
  const listOf = async (groups: AsyncIterable<object>): Promise<object[]> => {
    const list: object[] = [];
    for await (const group of groups) list.push(group);
    return list;
  };
  const errorOf = (status: number): Error => Object.assign(new Error(`answered ${status}`), { status });

  it("ends with the first error, and starts no other rollout", async () => {
    let begun = 0;
    const error = new NotFoundError(
      {
        response: new Response(null, { status: 404 }),
        facts: { operation: "chat", attempts: 1, outcomeUnknown: false },
      },
      "",
      undefined,
    );
    const tasks = Array.from({ length: 500 }, (_, task) => task);
    const signals = new Set<AbortSignal>();
    const rollout = async (_: number, { signal }: { signal: AbortSignal }): Promise<never> => {
      signals.add(signal);
      throw begun++ === 0 ? error : errorOf(404);
    };
    await expect(gatherGroups(tasks, rollout)).rejects.toBe(error);
    expect(begun).toBeLessThan(8 * 4 + 8);
    expect([...signals].map(({ reason }) => reason)).toEqual([error]);
  });

  it("is one of which every attempt at the first eight tasks fails with the same 4xx that does not pass", async () => {
    const kinds = fc.constantFrom("ok", 404, 401, 408, 409, 429, 500, "error");
    await fc.assert(
      fc.asyncProperty(
        fc.record({ count: fc.integer({ min: 6, max: 11 }), attempts: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ most: kinds, other: kinds, at: fc.nat(40), concurrency: fc.integer({ min: 1, max: 40 }) }),
        fc.func(fc.nat(5)),
        fc.boolean(),
        async ({ count, attempts }, { most, other, at, concurrency }, turns, one) => {
          const outcome = (task: number, attempt: number): string | number =>
            task * attempts + attempt === at ? other : most;
          const rollout = async (task: number, { attempt }: { attempt: number }): Promise<object> => {
            for (let turn = turns(task, attempt); turn >= 0; turn--) await Promise.resolve();
            const kind = outcome(task, attempt);
            if (kind === "ok") return {};
            throw typeof kind === "number" ? errorOf(kind) : new Error("derailed");
          };
          const tasks = Array.from({ length: count }, (_, task) => task);
          const options = { attempts, concurrency };
          const ended = one
            ? listOf(gatherGroups.each(tasks, rollout, options))
            : gatherGroups(tasks, rollout, options);
          const telling = Array.from({ length: 8 * attempts }, (_, index) =>
            outcome(Math.floor(index / attempts), index % attempts),
          );
          const isRefused = count >= 8 && new Set(telling).size === 1 && (most === 404 || most === 401);
          if (isRefused) await expect(ended).rejects.toMatchObject({ status: most });
          else expect(await ended).toHaveLength(count);
        },
      ),
      { numRuns: 300 },
    );
  });
});

it("reports progress after each attempt", async () => {
  const reports: GatherProgress[] = [];
  const rollout = (task: string) => (task === "bad" ? Promise.reject(new Error("derailed")) : { reward: 1 });
  await gatherGroups(["good", "bad"], rollout, {
    attempts: 2,
    concurrency: 1,
    onProgress: (report) => reports.push(report),
  });
  expect(reports).toEqual([
    { done: 1, failed: 0, total: 4 },
    { done: 2, failed: 0, total: 4 },
    { done: 3, failed: 1, total: 4 },
    { done: 4, failed: 2, total: 4 },
  ]);
});

it("ends at once if it is aborted, aborts the rollouts, starts none, and leaves no listener", async () => {
  const leaving = new AbortController();
  const removed = vi.spyOn(leaving.signal, "removeEventListener");
  const added = vi.spyOn(leaving.signal, "addEventListener");
  const { rollout, begun, end } = byHand();
  const reported: unknown[] = [];
  const onProgress = vi.fn();
  const gathering = gatherGroups(
    ["a", "b"],
    (task, { signal }) => {
      signal.addEventListener("abort", () => reported.push(signal.reason));
      return rollout(task);
    },
    { concurrency: 2, signal: leaving.signal, onProgress },
  );
  await soon();
  leaving.abort("enough");
  const error: unknown = await gathering.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ cause: "enough" });
  expect(reported).toEqual([error, error]);
  for (const one of end) one();
  await soon();
  expect(begun).toHaveLength(2);
  expect(onProgress).not.toHaveBeenCalled();
  expect(added).toHaveBeenCalledTimes(1);
  expect(removed).toHaveBeenCalledWith("abort", added.mock.calls[0]?.[1]);
});

it("starts nothing if it was aborted before", async () => {
  const rollout = vi.fn(() => ({}));
  await expect(gatherGroups([1], rollout, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(AbortError);
  expect(rollout).not.toHaveBeenCalled();
});

it("leaves no listener when it is done", async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, "removeEventListener");
  await gatherGroups([1], () => ({}), { signal });
  expect(removed).toHaveBeenCalledTimes(1);
});

it("ends with what onProgress throws, so that a program can set its own limit", async () => {
  let given: AbortSignal | undefined;
  const onProgress = ({ failed }: GatherProgress): void => {
    if (failed > 1) throw new Error("Too many failed.");
  };
  const rollout = (_: number, { signal }: { signal: AbortSignal }): Promise<never> => {
    given = signal;
    return Promise.reject(new Error("derailed"));
  };
  await expect(gatherGroups([1, 2, 3], rollout, { concurrency: 1, onProgress })).rejects.toThrow("Too many failed.");
  expect(given?.aborted).toBe(true);
});

it.each([0, -1, 1.5, NaN, Infinity])("rejects %d as the number of attempts, and as the concurrency", async (value) => {
  await expect(gatherGroups([1], () => ({}), { attempts: value })).rejects.toThrow(
    `attempts must be a whole number of at least 1, not ${value}.`,
  );
  await expect(gatherGroups([1], () => ({}), { concurrency: value })).rejects.toBeInstanceOf(ConfigurationError);
});

describe("each", () => {
  const idle = (): Promise<{ reward: number }> => new Promise(() => {});

  it("yields groups as they finish, with their tasks, which are not sent", async () => {
    const { rollout, end } = byHand();
    const groups = gatherGroups.each(["a", "b"], rollout, { attempts: 1 });
    const first = groups.next();
    await soon();
    end[1]?.();
    const { value } = await first;
    expect(value?.task).toBe("b");
    expect(JSON.parse(JSON.stringify(value))).toEqual({ trajectories: [{ reward: 1 }], exceptions: [] });
    const second = groups.next();
    end[0]?.();
    expect((await second).value?.task).toBe("a");
    expect(await groups.next()).toEqual({ done: true, value: undefined });
  });

  it("accepts an async iterable of tasks, reads each when it is needed, and starts none while the buffer is full", async () => {
    let given = 0;
    let closed = false;
    async function* tasks(): AsyncGenerator<number> {
      try {
        for (;;) yield given++;
      } finally {
        closed = true;
      }
    }
    const settings = { attempts: 2, concurrency: 4, buffer: 3 };
    const groups = gatherGroups.each(tasks(), () => ({ reward: 1 }), settings);
    expect((await groups.next()).value?.trajectories).toHaveLength(2);
    // Nobody takes a group: what is finished waits, and what was under way when the buffer filled.
    for (let turn = 0; turn < 50; turn++) await soon();
    expect(given).toBeGreaterThanOrEqual(1 + settings.buffer);
    expect(given).toBeLessThanOrEqual(1 + settings.buffer + settings.concurrency);
    const before = given;
    for (let taken = 0; taken < 20; taken++) await groups.next();
    expect(given).toBeGreaterThanOrEqual(before + 15);
    await groups.return(undefined);
    await soon();
    expect(closed).toBe(true);
  });

  it("runs every task once, with any concurrency and any failures", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(9),
        fc.record({
          attempts: fc.integer({ min: 1, max: 3 }),
          concurrency: fc.integer({ min: 1, max: 6 }),
          buffer: fc.integer({ min: 1, max: 4 }),
        }),
        fc.func(fc.nat(4)),
        fc.boolean(),
        async (count, options, turns, late) => {
          const list = Array.from({ length: count }, (_, task) => task);
          async function* slowly(): AsyncGenerator<number> {
            for (const task of list) {
              for (let turn = turns("task", task); turn > 0; turn--) await Promise.resolve();
              yield task;
            }
          }
          let running = 0;
          const seen: number[] = [];
          const groups = gatherGroups.each(
            late ? slowly() : list,
            async (task, { attempt }) => {
              expect(++running).toBeLessThanOrEqual(options.concurrency);
              for (let turn = turns(task, attempt); turn >= 0; turn--) await Promise.resolve();
              running--;
              if (turns(attempt, task) === 0) throw new Error("derailed");
              return {};
            },
            options,
          );
          for await (const { task, trajectories, exceptions } of groups) {
            expect(trajectories.length + exceptions.length).toBe(options.attempts);
            seen.push(task);
          }
          expect(seen.toSorted((a, b) => a - b)).toEqual(list);
        },
      ),
      { numRuns: 80 },
    );
  });

  it("aborts the running rollouts when the loop is left", async () => {
    let given: AbortSignal | undefined;
    const rollout = (task: number, { signal }: { signal: AbortSignal }) => {
      if (task === 0) return { reward: 1 };
      given = signal;
      return idle();
    };
    for await (const _ of gatherGroups.each([0, 1], rollout, { attempts: 1 })) break;
    expect(given?.reason).toBeInstanceOf(AbortError);
  });

  it("ends with what the tasks throw, and with its signal while it waits for tasks", async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      throw new Error("no more track");
    }
    const all = async (groups: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of groups);
    };
    await expect(all(gatherGroups.each(broken(), idle))).rejects.toThrow("no more track");
    const leaving = new AbortController();
    const waiting = all(gatherGroups.each([1], idle, { signal: leaving.signal }));
    leaving.abort("enough");
    await expect(waiting).rejects.toMatchObject({ name: "AbortError", cause: "enough" });
  });
});

it("accepts an async iterable of tasks, and rejects what is not iterable", async () => {
  async function* tasks(): AsyncGenerator<string> {
    yield "a";
    yield "b";
  }
  const groups = await gatherGroups(tasks(), (task) => ({ metadata: { task } }), { attempts: 1 });
  expect(groups.map(({ trajectories }) => trajectories[0]?.metadata)).toEqual([{ task: "a" }, { task: "b" }]);
  for (const wrong of [undefined, null, 5, {}]) {
    // @ts-expect-error no list
    await expect(gatherGroups(wrong, () => ({}))).rejects.toBeInstanceOf(ConfigurationError);
  }
  await expect(gatherGroups.each([1], () => ({}), { buffer: 0 }).next()).rejects.toThrow(
    "buffer must be a whole number of at least 1, not 0.",
  );
});
