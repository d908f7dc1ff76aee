import { onTestFinished, vi } from "vitest";

/** Stops the clock for this test: time goes on only by `pass`. */
export function stopClock(): { pass: (ms: number) => Promise<void>; toEnd: () => Promise<void>; now: () => number } {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  return {
    pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
    toEnd: async () => void (await vi.runAllTimersAsync()),
    now: () => performance.now(),
  };
}
