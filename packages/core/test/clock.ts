import { onTestFinished, vi } from "vitest";

interface StoppedClock {
  pass: (ms: number) => Promise<void>;
  toEnd: () => Promise<void>;
  now: () => number;
  /** The delays of all timers started since then. */
  readonly delays: readonly number[];
}

let stopped: StoppedClock | undefined;

/** Stops the clock for this test: time passes only by `pass`. */
export function stopClock(): StoppedClock {
  if (stopped !== undefined) return stopped;
  vi.useFakeTimers();
  const delays: number[] = [];
  // Not `vi.spyOn`: at the end of the file it would put the stopped `setTimeout` back, and the next file would hang.
  const start = globalThis.setTimeout;
  globalThis.setTimeout = Object.assign((...args: Parameters<typeof start>) => {
    delays.push(args[1] ?? 0);
    return start(...args);
  }, start);
  onTestFinished(() => {
    stopped = undefined;
    globalThis.setTimeout = start;
    vi.useRealTimers();
  });
  stopped = {
    delays,
    pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
    toEnd: async () => void (await vi.runAllTimersAsync()),
    now: () => performance.now(),
  };
  return stopped;
}

/** The result of a call, after all the time that it waits for. */
export async function passing<Result>(call: () => PromiseLike<Result>): Promise<Result> {
  const clock = stopClock();
  const result = call();
  result.then(null, () => {});
  await clock.toEnd();
  return result;
}
