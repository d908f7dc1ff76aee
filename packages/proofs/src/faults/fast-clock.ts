import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { clearInterval, setInterval } from "node:timers";

/** The sum of the waits of one play that are over, in milliseconds, since it was last reset. */
export interface Waits {
  waited: number;
}

const plays = new AsyncLocalStorage<Waits>();

/** Runs `work`, and counts its waits. */
export function counting<Result>(waits: Waits, work: () => Promise<Result>): Promise<Result> {
  return plays.run(waits, work);
}

// The advance of the clock in one turn of the event loop, which takes about 1 ms: the clock runs 100 times as fast. Because
// it counts turns, it is slower on a busy machine, and no time limit expires before pending data was processed.
const step = 100;

/** The part of Node's timers that clients use. */
class Timer {
  readonly at: number;
  readonly act: () => void;
  constructor(at: number, act: () => void) {
    this.at = at;
    this.act = act;
  }
  unref(): this {
    return this;
  }
  ref(): this {
    return this;
  }
}

/**
 * Makes the clock of clients run 100 times as fast, until the returned function is called: waits of minutes take less than
 * a second. Replaces the global `setTimeout` and `performance.now`. Node's own waits, and `node:timers`, keep their speed.
 */
export function fastClock(): () => void {
  const { setTimeout: timer, clearTimeout: clear, performance } = globalThis;
  const start = performance.now();
  let time = 0;
  const timers = new Set<Timer>();

  const fast = (act: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): unknown => {
    if (fromNode()) return timer(act, ms, ...values);
    const waits = plays.getStore();
    const over = AsyncResource.bind((): void => {
      if (waits) waits.waited += ms;
      act(...values);
    });
    const made = new Timer(time + ms, over);
    timers.add(made);
    return made;
  };
  const turn = setInterval(() => {
    time += step;
    for (const due of [...timers].filter(({ at }) => at <= time).toSorted((a, b) => a.at - b.at)) {
      // Settle the promises of each timer before the next one, as Node does. One timer may clear another.
      queueMicrotask(() => timers.delete(due) && due.act());
    }
  }, 1);

  globalThis.setTimeout = Object.assign(fast as typeof setTimeout, timer);
  globalThis.clearTimeout = (handle) => {
    const own: unknown = handle;
    if (own instanceof Timer) timers.delete(own);
    else clear(handle);
  };
  performance.now = () => start + time;
  return () => {
    clearInterval(turn);
    globalThis.setTimeout = timer;
    globalThis.clearTimeout = clear;
    Reflect.deleteProperty(performance, "now");
  };
}

/** Whether the caller's caller is Node's own code: its `fetch` sets timers for connections. */
function fromNode(): boolean {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 3;
  const { stack = "" } = new Error("where");
  Error.stackTraceLimit = limit;
  return stack.split("\n").at(-1)?.includes("node:internal") ?? false;
}
