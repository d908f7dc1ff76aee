import { readFileSync, writeFileSync } from "node:fs";
import { breachesOf } from "@trainyard/testing/browser";
import { shareThatDiffers, tolerance, useFonts } from "@trainyard/testing/pictures";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../folders.ts";
import { makeServer } from "../lib.ts";
import { makeRollouts } from "./rollouts.ts";
import { groupOf, hostile, isAsked, openPage, pagesOf, settle, useShown } from "./shown.ts";

const shown = useShown();

const consoleUrl = () => shown().server.consoleUrl() ?? "";

describe.skipIf(!isAsked)("the console in a browser", () => {
  it("has no axe violation and no sideways scroll: all pages and states, themes and widths", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1440, 768, 390]) {
        const { page, home, faults } = await openPage(shown().browser, consoleUrl(), {
          colorScheme,
          viewport: { width, height: 900 },
        });
        for (const [name, path] of pagesOf(shown().ids)) {
          await page.goto(`${home}/console/${path}`);
          await settle(page);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          expect
            .soft({ name, colorScheme, width, wide, axe: await breachesOf(page) })
            .toEqual({ name, colorScheme, width, wide: width, axe: [] });
        }
        expect.soft(faults).toEqual([]);
      }
    }
  }, 900_000);

  it("shows the name of a group of 2,000 attempts, and the last tab on a narrow screen", async () => {
    const { page, home } = await openPage(shown().browser, consoleUrl());
    const boxOf = (of: string) =>
      page
        .locator(of)
        .first()
        .evaluate((one) => {
          const { width, right } = one.getBoundingClientRect();
          return { width, beyond: right - innerWidth };
        });
    await page.goto(`${home}/console/runs/${shown().ids["many"]}`);
    await settle(page);
    expect((await boxOf(".step-panel .groups .name")).width).toBeGreaterThan(80);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(`${home}/console/runs/${shown().ids["many"]}/jobs`);
    await settle(page);
    expect((await boxOf(".tabs [aria-current]")).beyond).toBeLessThanOrEqual(0);
  }, 60_000);

  it("shows hostile text as text", async () => {
    const { page, home, faults } = await openPage(shown().browser, consoleUrl());
    const run = shown().ids["hostile"] ?? "";
    for (const path of [
      "",
      `runs/${run}`,
      `runs/${run}/rollouts?at=0`,
      `runs/${run}/tasks?split=${encodeURIComponent(hostile)}`,
      `runs/${run}/tasks/${encodeURIComponent(hostile)}`,
      `compare?runs=${run},${encodeURIComponent(hostile)}`,
      `runs/${run}/groups/${groupOf(shown().ids, 3)}`,
    ]) {
      await page.goto(`${home}/console/${path}`);
      await settle(page);
      expect(await page.title()).not.toBe("owned");
      expect(await page.locator("img[src=x], a[href^=javascript], main script").count()).toBe(0);
    }
    expect(await page.getByText(hostile).count()).toBeGreaterThan(3);
    expect(await page.getByText("https://example.com/spy.png (not fetched)").count()).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it("leads to the first flagged group and its attempts, using only the keyboard", async () => {
    const { page, home } = await openPage(shown().browser, consoleUrl());
    await page.goto(`${home}/console/?q=agent-1`);
    await page.waitForSelector(".runs a");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".groups a");
    // The flagged group is the first.
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".roll");
    await page.keyboard.press("p");
    await page.waitForFunction(() => new URLSearchParams(location.search).get("text") === "plain");
    await page.keyboard.press("b");
    await page.waitForFunction(() => new URLSearchParams(location.search).has("show"));
    await page.keyboard.press("Escape");
  });

  it("finds the tasks that fell, and an attempt that shows why, with at most 25 keys", async () => {
    const { page, home, faults } = await openPage(shown().browser, consoleUrl());
    await page.goto(`${home}/console/`);
    await page.waitForSelector(".runs a");
    let keys = 0;
    const press = async (key: string) => {
      keys++;
      await page.keyboard.press(key);
    };
    // A name that only one run has opens that run.
    for (const key of "/fell") await press(key);
    await press("Enter");
    await page.waitForSelector(".step-panel a[href*=compare]");
    await press("d");
    await page.getByText("Reward fell by 0.27 ± 0.07 from step 8 to 9:").waitFor();
    await page.waitForSelector("[aria-label^='Tasks by change'] a");
    await press("j");
    await press("Enter");
    await page.getByText("The refund tool answers: currency missing").first().waitFor();
    expect(keys).toBeLessThanOrEqual(25);
    await press("Escape");
    await page.getByText("Worst that was better").waitFor();
    expect(faults).toEqual([]);
  });

  it("says what changed between steps and runs, in which tasks, and what it leaves out", async () => {
    const { page, home, faults } = await openPage(shown().browser, consoleUrl());
    const { fell, steady, far, huge } = shown().ids;
    const text = async (selector: string) =>
      (await page.locator(selector).first().textContent())?.replaceAll(/\s+/g, " ");
    const open = async (query: string) => {
      await page.goto(`${home}/console/compare?${query}`);
      await settle(page);
      await page.locator("main h1").waitFor();
    };
    await open(`runs=${fell}@8,${fell}@9`);
    expect(await text(".sentence")).toContain(
      "−0.27 ± 0.07 in the same 16 tasks, of which 8 fell and 0 rose by more than their error",
    );
    const names = await page.locator("[aria-label^='Tasks by change'] tbody tr td:first-child").allTextContents();
    expect(names.slice(0, 8).every((name) => name.startsWith("refund-"))).toBe(true);
    expect(await text("[aria-label='The settings that differ'] tbody")).toBe("job.learning_rate15");
    expect(await text("[aria-label^='Figures'] tbody tr")).toBe("Reward0.63 0.36 −0.27");
    expect(await page.locator(".worst a").count()).toBe(8);
    expect(await page.locator(".plot svg .thin .line").count()).toBe(1);
    // Both steps are marked.
    expect(await page.locator(".plot svg .cross").count()).toBe(2);
    await page.getByLabel("curves").selectOption("by time");
    await page.waitForFunction(() => document.querySelector(".plot")?.ariaValueText?.includes("min: train 0.3"));
    await open(`runs=nobody@1,${fell}@99,${fell}@8,${fell}@9,${steady},${fell}@1,${fell}@2`);
    expect(await page.locator(".notice-line").allTextContents()).toEqual([
      "nobody@1 is left out: no run has this id. Remove it",
      `${fell}@99 is left out: the run has no attempts there. Remove it`,
      `${fell}@2 is left out: at most four are compared. Remove it`,
    ]);
    await page.getByText("Remove it").first().click();
    await page.waitForFunction(() => !location.search.includes("nobody"));
    await open(`runs=${fell},${far}`);
    expect(await text(".sentence")).toContain(
      "the rewards of fell are from 0.00 to 1.00, and those of far are from −400.0 to 1200",
    );
    await open(`runs=${fell},${shown().ids["agent-1"]}`);
    expect(await text(".sentence")).toContain("no task is in both");
    await open(`runs=${fell}&spilt=val`);
    expect(await text("main")).toContain("no query parameter spilt. Did you mean split?");
    for (const path of [
      `runs/${huge}`,
      `runs/${huge}/tasks`,
      `runs/${huge}/tasks/both`,
      `compare?runs=${huge}@0,${huge}@1`,
    ]) {
      await page.goto(`${home}/console/${path}`);
      await settle(page);
      expect(await page.evaluate(() => document.body.outerHTML)).not.toMatch(/NaN|Infinity/);
    }
    expect(faults.filter((fault) => !fault.includes("status of 422"))).toEqual([]);
  });

  it("marks runs to compare, orders them, and leads from a task to its groups and to Compare", async () => {
    const { page, home, faults } = await openPage(shown().browser, consoleUrl());
    const { fell, steady } = shown().ids;
    await page.goto(`${home}/console/?sort=last`);
    await page.waitForSelector(".runs a");
    expect(await page.locator(".runs .name").first().textContent()).toContain("fell");
    for (const name of ["steady", "fell"]) await page.getByLabel(`Compare ${name}`).check();
    await page.getByText("Compare 2 runs").click();
    await page.getByLabel("attempts of").selectOption("the last step");
    await page.getByLabel("split").selectOption("train");
    await page.getByText("Reward is lower by 0.27 ± 0.07 in fell at step 9 than in steady at step 9:").waitFor();
    expect(new URL(page.url()).searchParams.get("runs")).toBe(`${steady},${fell}`);
    await page.goto(`${home}/console/runs/${fell}/tasks?from=8&to=9&q=REFUND`);
    await page.getByText("8 tasks").waitFor();
    expect(await page.locator("tbody tr").first().textContent()).toMatch(/^refund-\d−0\.54 ± 0\.08/);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByText("Groups by step").first().waitFor();
    expect(await page.locator("tbody tr").count()).toBe(10);
    await page.getByText("with step 7").click();
    await page.getByText("Reward rose by 0.03").waitFor();
    await page.goBack();
    await page.locator("tbody a").first().click();
    await page.waitForSelector(".roll");
    expect(faults).toEqual([]);
  });

  it("keeps the filter in the address, and steps through the attempts that match it", async () => {
    const { page, home } = await openPage(shown().browser, consoleUrl());
    await page.goto(`${home}/console/runs/${shown().ids["agent-1"]}/rollouts`);
    await page.waitForSelector(".rows .row a");
    const line = page.locator("input[name=query]");
    await line.fill("rewrd>=0.9");
    await page.keyboard.press("Enter");
    await page.getByText("rewrd>=0.9: no attempt has rewrd. These work: reward<0.2 finish=length").waitFor();
    await line.fill("reward>=0.9");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => new URLSearchParams(location.search).get("reward") === ">=0.9");
    await page.waitForFunction(() => document.querySelector(".total")?.textContent?.startsWith("3 of"));
    await line.blur();
    await page.keyboard.press("j");
    await page.waitForFunction(() => location.search.includes("at=0"));
    await page.keyboard.press("Enter");
    await page.waitForSelector(".roll");
    await page.goBack();
    await page.waitForFunction(() => new URLSearchParams(location.search).get("at") === "0");
  });

  it("shows new logs as they arrive, and says when the server does not respond", async () => {
    const mine = makeServer({ console: true });
    const url = await mine.listen({ port: 0 });
    const { page } = await openPage(shown().browser, mine.consoleUrl() ?? "");
    await page.getByText("No runs yet").waitFor();
    const { models } = mine.clients().training;
    const model = await models.create({ project: "p", name: "live", base_model: "demo/tiny" });
    await page.getByText("live", { exact: false }).first().waitFor();
    await page.goto(`${url}/console/runs/${model.id}`);
    await page.getByText("No rollouts yet").waitFor();
    await models.log(model.id, {
      split: "train",
      trajectory_groups: [{ trajectories: [{ reward: 1 }, { reward: 0 }] }],
    });
    await page.locator(".groups .strip").waitFor();
    await models.delete(model.id);
    await page.getByText("This run does not exist").waitFor();
    await mine.end();
    await page.getByText("No connection to the server since").waitFor();
  });

  it("zooms into steps by dragging, and back", async () => {
    const data = temporaryFolder();
    const madeRun = makeRollouts(data, { steps: 40, groups: [2, 2] });
    const made = makeServer({ data, console: true });
    await made.listen({ port: 0 });
    const { page, home, faults } = await openPage(shown().browser, made.consoleUrl() ?? "");
    const zoomIs = (expected: string) =>
      page.waitForFunction((zoom) => {
        const query = new URLSearchParams(location.search);
        const slider = document.querySelector(".plot");
        const ends = [slider?.ariaValueMin, slider?.ariaValueMax].join("..");
        const inAddress = query.has("from") ? `${query.get("from")}..${query.get("to")}` : "0..39";
        // The small charts show the same steps.
        const label = document.querySelector(".mini svg")?.getAttribute("aria-label") ?? "";
        const small = /at step (\d+) to .* at step (\d+)/.exec(label)?.slice(1).join("..");
        return inAddress === zoom && ends === zoom && small === zoom;
      }, expected);
    await page.goto(`${home}/console/runs/${madeRun}?step=20`);
    await zoomIs("0..39");
    const box = await page.locator(".plot svg").boundingBox();
    const place = (step: number) => (box?.x ?? 0) + 42 + (((box?.width ?? 0) - 52) * (step + 0.5)) / 40;
    await page.mouse.move(place(30), (box?.y ?? 0) + 100);
    await page.mouse.down();
    await page.mouse.move(place(10), (box?.y ?? 0) + 120, { steps: 4 });
    await page.mouse.up();
    await zoomIs("10..30");
    // An address shows the same to everyone who opens it, and a step that still exists stays selected.
    expect(new URL(page.url()).searchParams.get("step")).toBe("20");
    await page.reload();
    await zoomIs("10..30");
    await page.getByText("All steps").waitFor();
    expect(await breachesOf(page)).toEqual([]);
    await page.locator(".plot svg").dblclick({ position: { x: 200, y: 80 } });
    await zoomIs("0..39");
    expect(faults).toEqual([]);
    await made.end();
  });

  it("draws the other metrics on request, and downloads what is shown", async () => {
    const data = temporaryFolder();
    const madeRun = makeRollouts(data, { steps: 5, groups: [2, 2] });
    const made = makeServer({ data, console: true });
    await made.listen({ port: 0 });
    const { page, home, faults } = await openPage(shown().browser, made.consoleUrl() ?? "");
    await page.goto(`${home}/console/runs/${madeRun}`);
    const others = page.getByLabel("Another metric by step");
    await others.getByLabel("Other metrics").selectOption("polite");
    expect(await others.locator("svg").first().getAttribute("aria-label")).toContain("polite by step: from");
    expect(await breachesOf(page)).toEqual([]);
    const download = async (name: string) => {
      const waiting = page.waitForEvent("download");
      await page.getByRole("link", { name }).click();
      const file = await waiting;
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
    };
    const csv = await download("Download CSV: the curve of train");
    expect([csv.name, csv.text.split("\r\n").length]).toEqual(["agent-1-train.csv", 7]);
    await page.goto(`${home}/console/runs/${madeRun}/rollouts?step=3&sort=reward`);
    const lines = await download("Download JSONL: these attempts with their conversations");
    expect(lines.name).toBe("agent-1-rollouts.jsonl");
    expect(
      lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).step),
    ).toEqual([3, 3, 3, 3]);
    expect(faults).toEqual([]);
    await made.end();
  });

  it("does not read unchanged data again", async () => {
    const { page, home } = await openPage(shown().browser, consoleUrl());
    const open = async () => {
      await page.goto(`${home}/console/runs/${shown().ids["agent-1"]}/rollouts`);
      await page.waitForSelector(".rows .row a");
      return page.evaluate(() => {
        const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        const read = entries.find(({ name }) => name.includes("/rollouts?"));
        return read && { sent: read.transferSize, size: read.encodedBodySize };
      });
    };
    const first = await open();
    expect(first?.size).toBeGreaterThan(500);
    expect(first?.sent).toBeGreaterThan(first?.size ?? 0);
    // Head alone: 304, and the body from the browser's cache.
    const again = await open();
    expect(again?.size).toBe(first?.size);
    expect(again?.sent).toBeLessThan(again?.size ?? 0);
  });

  it("says what to do without a cookie", async () => {
    const context = await shown().browser.newContext();
    const page = await context.newPage();
    await page.goto(new URL("/console/", consoleUrl()).href);
    await page.getByText("Sign in to see this page").waitFor();
    // Whoever enters the code lands on the address that was asked for.
    const asked = `/console/runs/${shown().ids["agent-1"]}/jobs?at=0#00000000-0000-4000-8000-000000000000`;
    await page.goto(new URL(asked, consoleUrl()).href);
    expect(await breachesOf(page)).toEqual([]);
    await page.getByLabel("Printed code or key").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("The code is not valid").waitFor();
    await page.getByLabel("Printed code or key").fill(consoleUrl());
    await page.keyboard.press("Enter");
    await page.locator("nav.tabs").waitFor();
    const { pathname, search, hash } = new URL(page.url());
    expect(pathname + search + hash).toBe(asked);
    await context.clearCookies();
    await page.goto(new URL("/console/#a-code-that-is-wrong", consoleUrl()).href);
    await page.getByText("The code is not valid").waitFor();
    await context.close();
  });

  it("matches the pictures of the guide", async () => {
    const data = temporaryFolder();
    const madeRun = makeRollouts(data, { steps: 43, groups: Array.from({ length: 12 }, () => 8) });
    const made = makeServer({ data, console: true });
    await made.listen({ port: 0 });
    const shots = [
      ["overview", made, `runs/${madeRun}`, ".plot svg .line"],
      ["group", shown().server, `runs/${shown().ids["agent-1"]}/groups/${groupOf(shown().ids, 1)}`, ".roll"],
    ] as const;
    for (const [name, of, path, ready] of shots) {
      const { page, home } = await openPage(shown().browser, of.consoleUrl() ?? "", {
        viewport: { width: 1280, height: 860 },
      });
      await useFonts(page);
      await page.goto(`${home}/console/${path}`);
      await page.waitForSelector(ready);
      await settle(page);
      const taken = await page.screenshot();
      const file = new URL(`../../../docs/public/console/${name}.png`, import.meta.url);
      const share = await shareThatDiffers(page, taken, readFileSync(file));
      if (process.env["CONSOLE"] !== "write")
        expect
          .soft(
            share,
            `${name}: if the change is intended, replace the picture with: CONSOLE=write pnpm exec vitest run --project console-pages`,
          )
          .toBeLessThan(tolerance);
      else if (share > tolerance) writeFileSync(file, taken);
    }
    await made.end();
  });
});
