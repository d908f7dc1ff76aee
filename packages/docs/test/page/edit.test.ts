/** @module-tag long */
import { breachesOf, program } from "@trainyard/testing/browser";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useSite } from "./site.ts";

const notLoaded = "Could not load. Try again.";
const statusOf = (page: Page) => page.locator(".run-status").textContent();
const printsOf = (page: Page) => page.locator(".run-prints").textContent();

/** Presses the button of the first sample, and waits until its run has ended. */
async function run(page: Page): Promise<void> {
  await page.locator("sample-run button").first().click();
  await page.getByRole("button", { name: "Run again" }).waitFor();
}

async function edit(page: Page, change: (text: string) => string): Promise<void> {
  const editor = page.getByRole("textbox", { name: "Sample, which you can edit" });
  await editor.fill(change(await editor.innerText()));
}

describe.skipIf(program === undefined)("in Chromium, a sample", { timeout: 120_000 }, () => {
  const site = useSite();

  it("can be edited and run, also with types and with another module of the clients", async () => {
    const { page, loaded, faults } = await site.open("reference/training/health.check/");
    await run(page);
    expect(await printsOf(page)).toBe("ok\n");
    const before = loaded.length;
    await edit(page, (text) => {
      const more = 'import { gatherGroups } from "@trainyard/training/rollouts";\n';
      return `${more}${text}\nconst name: string = "edited" as const;\nconsole.log(name, typeof gatherGroups);`;
    });
    await run(page);
    expect(await printsOf(page)).toBe("ok\nedited function\n");
    expect(loaded.slice(before)).toContain("page/modules/@trainyard/training/rollouts.js");
    expect(await page.locator("[data-code]").first().getAttribute("data-code")).toContain("gatherGroups");
    expect(await breachesOf(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  it.each([
    ["const here = ;", /^Line 2: Unexpected token, in: const here = ;$/],
    ["let one; let one;", /^Line 2: Identifier 'one' has already been declared, in: let one; let one;$/],
    ["const open = `", /^Line 2: Unterminated template, in: /],
    ['import "node:fs";', /^Line 2: A page has only the modules @trainyard\/auxiliary, .*, in: import "node:fs";$/],
    ["null.here;", /^It ended with TypeError: .* \(line 2\)$/],
  ])("keeps its text after a mistake, and says the line of it: %s", async (line, says) => {
    const { page } = await site.open("reference/training/health.check/");
    await run(page);
    const wrong = `// edited\n${line}`;
    await edit(page, () => wrong);
    await run(page);
    expect(await statusOf(page)).toMatch(says);
    expect(await page.getByRole("textbox").innerText()).toBe(wrong);
    await edit(page, () => 'console.log("fixed");');
    await run(page);
    expect(await printsOf(page)).toBe("fixed\n");
    await page.close();
  });

  it("that loops for ever, printing, is stopped and started over", async () => {
    const { page, faults } = await site.open("reference/training/health.check/");
    await run(page);
    const editor = page.getByRole("textbox");
    const original = await editor.innerText();
    for (const button of ["Stop", "Start over"]) {
      await editor.fill('for (let i = 0; ; i++) console.log("again", i);');
      await page.getByRole("button", { name: "Run again" }).click();
      await page.getByText("… It prints more than is shown here.").waitFor();
      await page.getByRole("button", { name: button }).click();
      await expect.poll(() => page.workers()).toEqual([]);
      await page.getByRole("button", { name: "Run again" }).waitFor();
    }
    expect(await editor.innerText()).toBe(original);
    await run(page);
    expect(await printsOf(page)).toBe("ok\n");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("starts over with services as they were at first", async () => {
    const { page } = await site.open("reference/training/models.checkpoints.delete/");
    await run(page);
    const first = await printsOf(page);
    await run(page);
    expect(await printsOf(page)).not.toBe(first);
    for (let times = 0; times < 2; times++) {
      await page.getByRole("button", { name: "Start over" }).click();
      expect(await statusOf(page)).toBe("The sample and the services are as they were at first.");
      await run(page);
      expect(await printsOf(page)).toBe(first);
    }
    await page.close();
  });

  it("runs after the network was away: for the script, and for the services", async () => {
    const { page } = await site.open("reference/training/health.check/");
    const button = page.locator("sample-run button").first();
    await page.context().setOffline(true);
    await button.click();
    await expect.poll(() => button.textContent()).toBe(notLoaded);
    await page.context().setOffline(false);
    await run(page);
    expect(await printsOf(page)).toBe("ok\n");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Start over" }).click();
    await run(page);
    expect(await statusOf(page)).toBe(notLoaded);
    await page.context().setOffline(false);
    await run(page);
    expect(await printsOf(page)).toBe("ok\n");
    await page.close();
  });

  it.each(["frame.html", "frame.js", "worker.js", "sqlite3.wasm", "base.weights", "samples/*.js", "chunks/*.js"])(
    "runs at the next click if %s could not be loaded",
    async (file) => {
      const { page } = await site.open("guides/getting-started/");
      const requests = `**/page/${file}*`;
      const button = page.locator("sample-run button").first();
      await page.route(requests, (route) => route.abort());
      await button.click();
      await page.getByText(notLoaded).waitFor();
      await page.unroute(requests);
      await run(page);
      expect(await statusOf(page)).toMatch(/^Done in/);
      expect(await printsOf(page)).toMatch(/\S/);
      await page.close();
    },
  );
});

describe.skipIf(program === undefined)("in Chromium, the home page", () => {
  const site = useSite();

  it("runs its first call", async () => {
    const { page, faults } = await site.open("");
    await run(page);
    expect(await printsOf(page)).toMatch(/\S/);
    expect(faults).toEqual([]);
    await page.close();
  });
});
