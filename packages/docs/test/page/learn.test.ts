import { readFileSync } from "node:fs";
import { join } from "node:path";
import { breachesOf, program } from "@trainyard/testing/browser";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { dist } from "../../src/places.ts";
import { gzipped, useSite, whole } from "./site.ts";
import { sum, traced, untilShown } from "./trace.ts";

/** Each reward of the page, and the lowest mean that it must reach. */
const rewards: readonly (readonly [id: string, least: number])[] = [
  ["maybe", 0.95],
  ["train-or-ferry", 0.95],
  ["syllable", 0.95],
  ["shorter", 0.9],
  ["guess", 0.9],
  ["lessons", 0.95],
];

/** The number of runs of each reward, each with another seed. */
const runs = Number(process.env["PAGE_RUNS"] ?? 1);

describe.skipIf(program === undefined || !whole)("in Chromium, a model", { timeout: 1_800_000 }, () => {
  const site = useSite();

  it.each(rewards)("learns to earn a reward in the page: %s", async (id, least) => {
    const { page, loaded, faults } = await site.open("guides/watch/");
    expect(loaded.filter((file) => file.startsWith("page/"))).toEqual([]);
    await choose(page, id);
    const ends: number[] = [];
    for (let run = 0; run < runs; run++) {
      const start = performance.now();
      await train(page);
      const status = (await page.locator("watch-model .status").textContent()) ?? "";
      const [, before, after] = /^Done: the mean reward went from (\S+) to (\S+)\.$/.exec(status) ?? [];
      ends.push(Number(after));
      expect(Number(before)).toBeLessThan(Number(after));
      console.log(`${id}: mean reward ${before} → ${after} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    }
    const good = ends.filter((end) => end >= least);
    if (runs > 1) console.log(`${id}: ${good.length} of ${runs} runs end at ${least} or more`);
    expect(sum(ends) / runs).toBeGreaterThanOrEqual(least);
    expect(good.length / runs).toBeGreaterThanOrEqual(0.9);
    const size = gzipped(
      loaded.filter((file) => file.startsWith("page/")),
      (file) => readFileSync(join(dist, file)),
    );
    console.log(`${id}: ${Math.round(size / 1000)} kB loaded`);
    expect(size).toBeLessThan(1_000_000);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("shows the settings of a reward before anything is loaded", async () => {
    const { page, loaded } = await site.open("guides/watch/");
    const shown = () => page.locator("watch-model output").allTextContents();
    expect(await shown()).toEqual(["16", "2", "0"]);
    await choose(page, "guess");
    expect(await shown()).toEqual(["56", "10", "0.5"]);
    await page.locator("[name=rate]").fill("0");
    expect(await shown()).toEqual(["56", "1", "0.5"]);
    expect(loaded.filter((file) => file.startsWith("page/"))).toEqual([]);
    await page.close();
  });

  it("draws only what changed, and prints how long the page's thread worked", async () => {
    const { page: idle } = await site.open("guides/watch/");
    const countIdle = await countFrames(idle);
    // A worker with as much work, and nothing to show.
    await idle.evaluate(() => void new Worker(URL.createObjectURL(new Blob(["for (;;);"]))));
    await idle.waitForTimeout(3000);
    const beside = await countIdle();
    await idle.close();
    const { page } = await site.open("guides/watch/");
    const count = await countFrames(page);
    const [, { page: tasks, worker, styled }] = await traced(page, () => train(page));
    const frames = await count();
    const [mine, its] = [sum(tasks), sum(worker)];
    const long = tasks.filter((milliseconds) => milliseconds > 16);
    console.log(
      [
        `the page's thread took ${mine.toFixed(0)} ms of the processor, the worker ${its.toFixed(0)} ms`,
        `of ${frames.count} frames, ${long.length} took more than 16 ms of the processor, and ${percent(frames)} came after more than 20 ms`,
        `beside a worker that only loops, in a page that does not change: ${percent(beside)}`,
      ].join("\n"),
    );
    // An update styles only what changed, not the whole page, which has more than 800 elements.
    expect(styled.filter((elements) => elements > 400).length).toBeLessThanOrEqual(5);
    expect(styled.length).toBeLessThanOrEqual(frames.count);
    await page.close();
  });

  it("is shown in the console's components: curve, groups, attempts and jobs", async () => {
    const { page, faults } = await site.open("guides/watch/");
    await choose(page, "lessons");
    await train(page);
    await page.getByRole("slider", { name: "Reward by step" }).waitFor();
    await page.locator(".groups a").first().click();
    expect(new URL(page.url()).hash).toMatch(/^#\/runs\/[^/]+\/groups\/[^/]+$/);
    await page.goBack();
    await page.getByRole("link", { name: /^Jobs/ }).first().click();
    await page.getByText("training_started").first().waitFor();
    expect(await breachesOf(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("can be stopped, and another one started", async () => {
    const { page } = await site.open("guides/watch/");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText(/^Round \d+ of/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText(/^Stopped\. The next start begins with a new model\.$/).waitFor();
    await expect.poll(() => page.workers()).toEqual([]);
    await page.getByRole("button", { name: "Start again" }).click();
    await page.locator(".learn-reward").first().waitFor();
    await page.close();
  });
});

async function choose(page: Page, id: string): Promise<void> {
  await page.locator(`[name=task][value="${id}"]`).check();
}

/** Trains a model from start to end. */
async function train(page: Page): Promise<void> {
  await untilShown(page, "watch-model button", "watch-model .status", "watch-model .status");
}

interface Frames {
  readonly count: number;
  /** How many of them came more than 20 ms after the previous one. */
  readonly slow: number;
}

const percent = ({ slow, count }: Frames) => `${((100 * slow) / count).toFixed(1)} %`;

/** Counts frames until the returned function is called. */
async function countFrames(page: Page): Promise<() => Promise<Frames>> {
  await page.evaluate(() => {
    const frames = { count: 0, slow: 0 };
    Reflect.set(globalThis, "frames", frames);
    let before = performance.now();
    const look = (now: number) => {
      frames.count++;
      if (now - before > 20) frames.slow++;
      before = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(() => {
      const frames: unknown = Reflect.get(globalThis, "frames");
      return frames as Frames;
    });
}
