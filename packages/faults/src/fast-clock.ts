import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { clearInterval, setInterval } from "node:timers";

/** The waits of one play, in milliseconds, that are over: the sum since the last time that it was set to 0. */
export interface Waits {
  waited: number;
}

const plays = new AsyncLocalStorage<Waits>();

/** Runs `work` so that its waits are counted. */
export function counting<Result>(waits: Waits, work: () => Promise<Result>): Promise<Result> {
  return plays.run(waits, work);
}

// How far the clock goes with one turn of the event loop, which takes some 1 ms: it is 100 times as fast as others. Counted
// in turns, it goes slower on a busy machine, and no limit of time is over before what came in the meantime was looked at.
const step = 100;

/** A timer of this clock, as far as clients use those of Node. */
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
 * Lets the clock of clients run a hundred times as fast, until the function that it gives is called: waits of minutes are then
 * played in less than a second. It is the global `setTimeout` and `performance.now`. What Node itself waits for keeps its time,
 * and so does what comes from `node:timers`.
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
      // Each with the promises that it settles, as Node does it. One may clear another.
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

/** Whether the caller of the caller is Node's own code: its `fetch` sets timers for connections. */
function fromNode(): boolean {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 3;
  const { stack = "" } = new Error("where");
  Error.stackTraceLimit = limit;
  return stack.split("\n").at(-1)?.includes("node:internal") ?? false;
}
