import { AbortError, TimeoutError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";

// Timers count in 31 bits. A longer time would fire at once.
const longest = 2 ** 31 - 1;

/** The milliseconds of a clock that is never set. */
export const now = (): number => performance.now();

/** Holds one request to its times and to the signal of its call. */
export interface Limit {
  /** Aborts when a time is over or the call's signal says so. */
  readonly signal: AbortSignal;
  /** Starts the clock: when `ms` are over (default: the time of an attempt), or the time of the whole call, the request ends. */
  start(ms?: number): void;
  /** Stops the clock. Until it starts again, it does not keep the process alive. */
  pause(): void;
  /** Throws where the request has ended, or the time of the whole call is over, whether or not the clock runs. */
  check(): void;
  /** Waits for `work`, as long as the clock that it starts says. Rejects in time even where `work` does not heed the signal. Leaves the clock on. */
  within<Result>(work: () => Promise<Result>, ms?: number): Promise<Result>;
  /** Waits. Node's timers may fire a part of a millisecond early, and "never sooner than told" is a promise. */
  sleep(ms: number): Promise<void>;
  /** What else is to be done when the request ends before its time; at once, where it has. */
  onStop(act: (reason: unknown) => void): void;
  /** Ends the request with an error. */
  stop(reason: unknown): void;
  /** Lets go of the call's signal and of the clock. */
  release(): void;
}

/** What a timer is in Node and Bun; elsewhere it is a number. */
interface Timer {
  ref?: () => void;
  unref?: () => void;
}

/** Makes the limit of a request that may take or be silent for so long, of a call with this signal and this last moment. */
export function limitOf(outer: AbortSignal | undefined, idleMs: number, deadline: number, facts: CallFacts): Limit {
  const controller = new AbortController();
  const { signal } = controller;
  let act: ((reason: unknown) => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onAbort = (): void => stop(new AbortError("the call was aborted.", facts, { cause: outer?.reason }));
  const timedOut = (limit: string): void => stop(new TimeoutError(`the call took too long (${limit}).`, facts));
  // Streams start and pause the clock at each read. Setting a timer costs as much as all else that a small read costs, so
  // one that fires early is left as it is, and set anew when it fires.
  let end = Infinity;
  let fires = Infinity;
  const hold = (): Timer => Object(timer);
  const pause = (): void => {
    end = Infinity;
    hold().unref?.();
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
  const arm = (): void => {
    const left = end - now();
    if (left <= 0) timedOut(end === deadline ? "totalTimeoutMs" : `timeoutMs: ${idleMs}`);
    else if (fires > end && left < longest) {
      clearTimeout(timer);
      fires = end;
      timer = setTimeout(() => {
        fires = Infinity;
        if (end < Infinity) arm();
      }, left);
    } else hold().ref?.();
  };
  const start = (ms = idleMs): void => {
    end = Math.min(now() + ms, deadline);
    arm();
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
      if (!signal.aborted && now() >= deadline) timedOut("totalTimeoutMs");
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
