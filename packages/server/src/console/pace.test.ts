import { expect, it } from "vitest";
import { Pace, type ProcessorTimes } from "./pace.ts";

/** Works for this many milliseconds on two processors, of which other programs meanwhile use a share. */
function makePace(isLogging = true) {
  let now = 0;
  let times: ProcessorTimes = { idle: 0, total: 0 };
  const pace = new Pace(
    () => isLogging,
    () => now,
    () => times,
  );
  const pass = (milliseconds: number, used: number) => {
    now += milliseconds;
    times = { total: times.total + 2 * milliseconds, idle: times.idle + 2 * milliseconds * (1 - used) };
  };
  return { pace, pass, work: (milliseconds: number, used: number) => pace.during(() => pass(milliseconds, used)) };
}

it("does not rest while a processor is idle", () => {
  const { pace, work } = makePace();
  for (let piece = 0; piece < 10; piece++) work(120, 0.6);
  expect(pace.rest).toBe(0);
});

it("works a twentieth of the time while logs are written and all processors are used, and goes on at once when they are not", () => {
  const { pace, pass, work } = makePace();
  let worked = 0;
  let rested = 0;
  for (let piece = 0; piece < 10; piece++) {
    work(120, 0.95);
    worked += 120;
    rested += pace.rest;
    pass(pace.rest, 0.95);
  }
  expect(worked / (worked + rested)).toBeCloseTo(0.05);
  work(120, 0.5);
  // The time since the last reading counts, so the rest was a busy time.
  pass(pace.rest, 0.5);
  work(120, 0.5);
  expect(pace.rest).toBe(0);
});

it("does not rest while no logs are written, however busy other programs are", () => {
  const { pace, work } = makePace(false);
  for (let piece = 0; piece < 10; piece++) work(120, 1);
  expect(pace.rest).toBe(0);
});

it("rests after work that failed, and passes its error on", () => {
  const { pace, pass } = makePace();
  const fail = () =>
    pace.during(() => {
      pass(120, 1);
      throw new Error("broken");
    });
  expect(fail).toThrow("broken");
  expect(pace.rest).toBe(2280);
});
