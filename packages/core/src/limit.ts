import { AbortError, TimeoutError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";

/** Milliseconds of a monotonic clock. */
export const now = (): number => performance.now();

/** Applies the time limits and the signal of a call to one request. */
export interface Limit {
  /** Aborts when a limit is reached or the call's signal aborts. */
  readonly signal: AbortSignal;
  /** Starts the clock. The request ends after `ms` (default: the limit of an attempt) or at the limit of the whole call. */
  start(ms?: number): void;
  /** Stops the clock. Until it starts again, it does not keep the process alive. */
  pause(): void;
  /** Throws if the request has ended or the limit of the whole call is reached, whether or not the clock runs. */
  check(): void;
  /** Starts the clock and waits for `work`. Rejects in time even if `work` ignores the signal. The clock keeps running. */
  within<Result>(work: () => Promise<Result>, ms?: number): Promise<Result>;
  /** Waits at least `ms`. Node's timers may fire a fraction of a millisecond early, but a retry must never come too soon. */
  sleep(ms: number): Promise<void>;
  /** Calls `act` when the request ends early; at once if it already has. */
  onStop(act: (reason: unknown) => void): void;
  /** Ends the request with an error. */
  stop(reason: unknown): void;
  /** Detaches from the call's signal and stops the clock. */
  release(): void;
}

/** A timer: an object in Node and Bun, elsewhere a number. */
type Timer = ReturnType<typeof setTimeout> & { ref?: () => void; unref?: () => void };

/**
 * Creates the limit of a request, from the longest time of an attempt, and the signal and the deadline of the call. A
 * timeout names `target`.
 */
export function limitOf(
  outer: AbortSignal | undefined,
  idleMs: number,
  deadline: number,
  facts: CallFacts,
  target: string,
): Limit {
  const controller = new AbortController();
  const { signal } = controller;
  let act: ((reason: unknown) => void) | undefined;
  let timer: Timer | undefined;

  const onAbort = (): void => stop(new AbortError("the call was aborted.", facts, { cause: outer?.reason }));
  const timedOut = (limit: string): void =>
    stop(new TimeoutError(`the call to ${target} took too long (${limit})${facts.progress?.() ?? ""}.`, facts));
  // Streams start and pause the clock at each read, and setting a timer costs as much as the rest of a small read. So an
  // existing timer is kept, and set again if it fires too early.
  let end = Infinity;
  let fires = Infinity;
  const pause = (): void => {
    end = Infinity;
    timer?.unref?.();
  };
  const release = (): void => {
    clearTimeout(timer);
    fires = Infinity;
    outer?.removeEventListener("abort", onAbort);
  };
  const stop = (reason: unknown): void => {
    act?.(reason);
    controller.abort(reason);
    release();
  };
  const arm = (at = now()): void => {
    const left = end - at;
    if (left <= 0) timedOut(end === deadline ? "totalTimeoutMs" : `timeoutMs: ${idleMs}`);
    // Timers use 31 bits; a longer delay would fire at once.
    else if (fires > end && left < 2 ** 31 - 1) {
      clearTimeout(timer);
      fires = end;
      timer = setTimeout(() => {
        fires = Infinity;
        if (end < Infinity) arm();
      }, left);
    } else timer?.ref?.();
  };
  const start = (ms = idleMs): void => {
    const at = now();
    end = Math.min(at + ms, deadline);
    arm(at);
  };
  const onStop = (next: (reason: unknown) => void): void => {
    act = next;
    if (outer?.aborted) onAbort();
    else if (signal.aborted) act(signal.reason);
  };
  const race = <Result>(work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      onStop(reject);
      if (!signal.aborted) work().then(resolve, reject);
    });

  outer?.addEventListener("abort", onAbort);
  return {
    signal,
    start,
    pause,
    check: () => {
      if (deadline < Infinity && !signal.aborted && now() >= deadline) timedOut("totalTimeoutMs");
      signal.throwIfAborted();
    },
    within: (work, ms) => {
      start(ms);
      return race(work);
    },
    sleep: (ms) => race(() => new Promise((done) => (timer = setTimeout(done, ms + 1)))),
    onStop,
    stop,
    release,
  };
}
