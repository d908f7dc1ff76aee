import { readFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "@trainyard/testing/browser";
import { firefox, webkit, type Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { dist } from "../../src/places.ts";
import { addSample, gzipped, runSample, useSite, whole } from "./site.ts";
import { traced, untilShown } from "./trace.ts";

const ofPage = (file: string) => file.startsWith("page/");
const sizeOf = (loaded: readonly string[]) => gzipped(loaded.filter(ofPage), (file) => readFileSync(join(dist, file)));
/** The most bytes that a page may load for its first run, compressed. */
const most = 1_000_000;

describe.skipIf(program === undefined)("in Chromium", () => {
  const site = useSite();

  it(
    "loads nothing before the first run, and then less than 1.0 MB, all from its own origin",
    { tags: ["long"] },
    async () => {
      const { page, loaded, faults } = await site.open("guides/chat/");
      expect(loaded.filter(ofPage)).toEqual([]);
      await page.locator("sample-run button").first().click();
      await page.getByRole("button", { name: "Run again" }).waitFor();
      const element = page.locator("sample-run").first();
      await expect.poll(() => element.locator(".run-status").textContent()).toMatch(/^Done in/);
      expect(await element.locator(".run-prints").textContent()).toMatch(/\(\d+ tokens\)\n\S/);
      const request = element.locator("details").first();
      await request.locator("summary").click();
      expect(await request.textContent()).toMatch(
        /POST\/inference\/v1\/chat\/completions200\d+ msSent.*"model": "demo\/tiny".*Answer.*"finish_reason"/s,
      );
      const size = sizeOf(loaded);
      console.log(`a first run loads ${Math.round(size / 1000)} kB compressed`);
      expect(size).toBeLessThan(most);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it.runIf(whole)("shows a stream event by event", async () => {
    const { page, faults } = await site.open("guides/chat/");
    await runSample(page, "programs-streaming");
    await page.locator("#tested summary").click();
    const events = await page.locator("#tested .run-event").allTextContents();
    expect(events.length).toBeGreaterThan(2);
    expect(events.at(-1)).toBe("data: [DONE]\n");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("says that it could not load, and tries again at the next click", async () => {
    const { page } = await site.open("guides/chat/");
    const button = page.locator("sample-run button").first();
    const file = "**/page/run.js*";
    await page.route(file, (route) => route.abort());
    for (let tries = 1; tries <= 2; tries++) {
      const failed = page.waitForEvent("requestfailed");
      await button.click();
      await failed;
      await expect.poll(() => button.textContent()).toBe("Could not load. Try again.");
    }
    await page.unroute(file);
    await button.click();
    await page.getByRole("button", { name: "Run again" }).waitFor();
    await page.close();
  });

  it("shows the output of a sample as text, and never as markup", async () => {
    const { page, faults } = await site.open("guides/chat/");
    await runSample(page, "training-health-check");
    const hostile = "<img src=x onerror=\"document.title='ran'\"><b>bold</b>";
    // Replaces a sample with one that prints markup.
    await page.route("**/page/samples/training-health-check.js*", (route) =>
      route.fulfill({ contentType: "text/javascript", body: `console.log(${JSON.stringify(hostile)})` }),
    );
    expect((await runSample(page, "training-health-check")).prints).toBe(`${hostile}\n`);
    expect(await page.locator("#tested :is(img, b)").count()).toBe(0);
    expect(await page.title()).not.toBe("ran");
    expect(faults).toEqual([]);
    await page.close();
  });

  it(
    "gives the worker a content security policy: it evaluates no text, and requests no other origin",
    { tags: ["long"] },
    async () => {
      const { page } = await site.open("guides/chat/");
      await runSample(page, "training-health-check");
      const [worker] = page.workers();
      if (worker === undefined) throw new Error("There is no worker.");
      // Outside of the evaluation, which is permitted more than the worker.
      await worker.evaluate(() => {
        const broken: string[] = [];
        Reflect.set(globalThis, "broken", broken);
        addEventListener("securitypolicyviolation", ({ effectiveDirective }) => broken.push(effectiveDirective));
        setTimeout(() => {
          Reflect.set(globalThis, "elsewhere", new EventSource("http://127.0.0.1:9/elsewhere"));
          // This error is not caught: the run ends, and the worker continues.
          Reflect.construct(Function, ["return 1"]);
        });
      });
      const broken = () => worker.evaluate((): unknown => Reflect.get(globalThis, "broken"));
      await expect.poll(broken).toEqual(expect.arrayContaining(["connect-src", "script-src"]));
      expect(await worker.evaluate(() => fetch("https://example.org/").catch((error: Error) => error.message))).toBe(
        "A page can send requests only to its own services, not to https://example.org/",
      );
      await page.close();
    },
  );

  it.runIf(whole)("stops a run, and restarts a worker that died, with a message", async () => {
    const { page } = await site.open("guides/training/");
    await page.locator("sample-run button").first().click();
    await page.getByRole("button", { name: "Stop" }).click();
    const status = page.locator("sample-run .run-status").first();
    expect(await status.textContent()).toMatch(/^Stopped\. The next run begins/);
    await expect.poll(() => page.workers()).toEqual([]);
    await page.locator("sample-run button").first().click();
    await expect.poll(() => page.workers().length).toBe(1);
    await page.workers()[0]?.evaluate(() => setTimeout(() => close()));
    await expect.poll(() => status.textContent()).toMatch(/^The services in this page ended: .* starts them again/);
    expect(await runSample(page, "training-health-check")).toMatchObject({ prints: "ok\n" });
    await page.close();
  });

  it.runIf(whole)("responds, and prints after how long", async () => {
    const rows: string[] = [];
    for (const name of ["training-health-check", "inference-chat-completions-create", "programs-rollouts"]) {
      const { page } = await site.open("guides/chat/");
      const run = () => traced(page, () => firstAnswer(page, name));
      const [[cold, first], [warm, second]] = [await run(), await run()];
      rows.push(
        `${name.padEnd(36)} cold ${cold.toFixed(0)} ms (${first.untilShown.toFixed(0)} of the processor), after that ${warm.toFixed(0)} ms (${second.untilShown.toFixed(0)})`,
      );
      await page.close();
    }
    console.log(`first answers (bars on an empty machine: 2,000 and 300 ms)\n${rows.join("\n")}`);
    expect(rows).toHaveLength(3);
  });
});

const others = [
  ["Firefox", firefox, process.env["FIREFOX"]],
  ["WebKit", webkit, process.env["WEBKIT"]],
] as const;
for (const [name, type, file] of others) {
  describe.skipIf(file === undefined)(`in ${name}`, () => {
    const site = useSite(() => type.launch({ ...(file !== undefined && { executablePath: file }) }));

    it("runs a sample", async () => {
      const { page, faults } = await site.open("guides/chat/");
      expect((await runSample(page, "programs-chat")).prints).toMatch(/\(\d+ tokens\)\n\S/);
      expect(faults).toEqual([]);
      await page.close();
    });
  });
}

/** Runs a sample, and returns the milliseconds from the click until its first response is shown, by the page's own clock. */
async function firstAnswer(page: Page, name: string): Promise<number> {
  await addSample(page, name);
  return untilShown(page, "#tested button", "#tested .run-code", "#tested .run-status");
}
