import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as axeCore from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { dist, gzipped, program, useSite, whole } from "./site.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each reward of the page, the least that its mean is at the end, and the round that it ends after where it has no other. */
const rewards: readonly (readonly [id: string, least: number])[] = [
  ["maybe", 0.95],
  ["train-or-ferry", 0.95],
  ["syllable", 0.95],
  ["shorter", 0.85],
  ["guess", 0.8],
  ["lessons", 0.95],
];

describe.skipIf(program === undefined || !whole)("in Chromium, a model", () => {
  const site = useSite();

  it.each(rewards)("learns in the page what pays: %s", async (id, least) => {
    const { page, loaded, faults } = await site.open("guides/watch/");
    expect(loaded.filter((file) => file.startsWith("page/"))).toEqual([]);
    await choose(page, id);
    const frames = await begin(page);
    await page.getByText(/^Done: the mean reward went from/).waitFor({ timeout: 600_000 });
    const [, before, after] =
      /from (\S+) to (\S+)\.$/.exec((await page.locator("watch-model .status").textContent()) ?? "") ?? [];
    expect(Number(before)).toBeLessThan(Number(after));
    expect(Number(after)).toBeGreaterThanOrEqual(least);
    const { slow, count, long } = await frames();
    const size = gzipped(
      loaded.filter((file) => file.startsWith("page/")),
      (file) => readFileSync(join(dist, file)),
    );
    console.log(
      `${id}: mean reward ${before} → ${after}; ${count} frames, ${slow} over 20 ms, ${long} tasks of the page over 50 ms; ${Math.round(size / 1000)} kB loaded`,
    );
    expect(size).toBeLessThan(1_000_000);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("is seen in the console's components: the curve, the groups, their attempts, the jobs", async () => {
    const { page, faults } = await site.open("guides/watch/");
    await choose(page, "lessons");
    await begin(page);
    await page.getByText(/^Done: /).waitFor();
    await page.getByRole("slider", { name: "Reward by step" }).waitFor();
    await page.getByRole("link", { name: /^Groups/ }).click();
    await page.locator(".groups a").first().click();
    expect(new URL(page.url()).hash).toMatch(/^#\/runs\/[^/]+\/groups\/[^/]+$/);
    await page.goBack();
    await page.getByRole("link", { name: /^Jobs/ }).first().click();
    await page.getByText("training_ended").first().waitFor();
    expect(await breaches(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("is stopped, and another one begins", async () => {
    const { page } = await site.open("guides/watch/");
    await begin(page);
    await page.getByText(/^Round 1 of/).waitFor();
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

/** Begins, and gives what tells how many frames were drawn since, and how many of them came late. */
async function begin(page: Page): Promise<() => Promise<{ count: number; slow: number; long: number }>> {
  await page.getByRole("button", { name: "Start" }).click();
  await page.evaluate(() => {
    const frames: number[] = [];
    const long: number[] = [];
    Reflect.set(globalThis, "frames", frames);
    Reflect.set(globalThis, "long", long);
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ["longtask"],
    });
    let before = performance.now();
    const look = (now: number) => {
      frames.push(now - before);
      before = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(() => {
      const listOf = (name: string): number[] => {
        const list: unknown = Reflect.get(globalThis, name);
        return Array.isArray(list) ? list.map(Number) : [];
      };
      const frames = listOf("frames");
      const slow = frames.filter((milliseconds) => milliseconds > 20);
      return { count: frames.length, slow: slow.length, long: listOf("long").length };
    });
}

async function breaches(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const scope: typeof globalThis & { axe?: typeof axeCore } = globalThis;
    if (scope.axe === undefined) throw new Error("axe is not there.");
    const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await scope.axe.run({ runOnly, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}
