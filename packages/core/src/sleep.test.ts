import { expect, it, vi } from "vitest";
import { stopClock } from "../test/clock.ts";
import { AbortError } from "./errors/index.ts";
import { sleep } from "./sleep.ts";

it("waits, never too short, and leaves no listener", async () => {
  const { pass } = stopClock();
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const awake = vi.fn();
  const slept = sleep(1000, signal, "jobs.follow").then(awake);
  await pass(1000);
  expect(awake).not.toHaveBeenCalled();
  await pass(1);
  await slept;
  expect(removed).toHaveBeenCalledWith("abort", added.mock.calls[0]?.[1]);
  expect(vi.getTimerCount()).toBe(0);
});

it("ends at once if its signal aborts or has aborted, and leaves no timer", async () => {
  stopClock();
  const leaving = new AbortController();
  const failure = sleep(1000, leaving.signal, "jobs.follow").catch((error: unknown) => error);
  leaving.abort("enough");
  expect(await failure).toBeInstanceOf(AbortError);
  expect(await failure).toMatchObject({ message: "jobs.follow: the call was aborted.", cause: "enough" });
  await expect(sleep(1000, leaving.signal, "jobs.follow")).rejects.toBeInstanceOf(AbortError);
  expect(vi.getTimerCount()).toBe(0);
});
