import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildConsole } from "@trainyard/console/build";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../folders.ts";
import { makeServer, type TestServer } from "../lib.ts";
import { axe, launch, openPage, program } from "./browser.ts";
import { madeRun, makeRollouts } from "./rollouts.ts";

/** By `pnpm test:console` alone: a browser takes more than `pnpm test` may. */
const isAsked = process.env["CONSOLE"] !== undefined && program !== undefined;

let browser: Browser;
let server: TestServer;
const ids: Record<string, string> = {};

const user = (content: unknown) => ({ role: "user" as const, content: content as string });
/** With the log probability of some of its words; the others are sure. */
const answer = (text: string, logprobs?: Readonly<Record<string, number>>) => ({
  index: 0,
  finish_reason: "stop" as const,
  message: { role: "assistant" as const, content: text },
  ...(logprobs && {
    logprobs: {
      content: (text.match(/\s*\S+/g) ?? []).map((token) => ({
        token,
        logprob: logprobs[token.trim()] ?? -0.1,
        top_logprobs: [],
      })),
    },
  }),
});
const call = {
  index: 0,
  finish_reason: "tool_calls" as const,
  message: {
    role: "assistant" as const,
    content: null,
    tool_calls: [
      { id: "c", type: "function" as const, function: { name: "find_order", arguments: '{"order":"K-1"}' } },
    ],
  },
};
const result = { role: "tool" as const, tool_call_id: "c", content: '{"state":"in transit"}' };
const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script><a href="javascript:document.title='owned'">x</a>`;

beforeAll(async () => {
  if (!isAsked) return;
  await buildConsole(fileURLToPath(new URL("../../dist/pages", import.meta.url)));
  server = makeServer({ console: true });
  await server.listen({ port: 0 });
  browser = await launch();
  const { models, trainingJobs } = server.clients().training;
  const create = async (name: string) => {
    const { id } = await models.create({ project: "support-desk", name, base_model: "demo/tiny" });
    ids[name] = id;
    return id;
  };
  await create("without-logs");
  const agent = await create("agent-1");
  const used = {
    messages_and_choices: [
      user("I ordered two mugs on 10 October (K-20931) and they still are not here. I want my money back."),
      call,
      result,
      answer("Your parcel is in transit. Please wait for it.", { parcel: -1, transit: -3 }),
    ],
    reward: 0.5,
    metrics: { polite: 1 },
  };
  await models.log(agent, {
    split: "train",
    trajectory_groups: [
      {
        metadata: { task: "late-parcel" },
        trajectories: [
          used,
          used,
          {
            messages_and_choices: [
              user("I ordered two mugs on 10 October (K-20931) and they still are not here. I want my money back."),
              answer(
                "Thank you so much for reaching out! I have personally escalated your case and refunded the full amount.",
                { personally: -5, escalated: -2.6, refunded: -1 },
              ),
            ],
            reward: 0.9,
            metrics: { polite: 0.2 },
          },
        ],
        exceptions: [{ type: "ToolTimeout", message: "no answer within 5 s", traceback: "shop/agent.py:88" }],
      },
      { metadata: { task: "opening-hours" }, trajectories: [{ reward: 1 }, { reward: 1 }] },
    ],
  });
  await models.log(agent, {
    split: "val",
    trajectory_groups: [{ metadata: { task: "late-parcel" }, trajectories: [{ reward: 0.25 }] }],
  });
  await trainingJobs.createRl({ model_id: agent, trajectory_groups: [] });
  const foreign = await create("hostile");
  await models.log(foreign, {
    split: hostile,
    trajectory_groups: [
      {
        metadata: { task: hostile },
        trajectories: [hostile, "y"].map((text) => ({
          messages_and_choices: [
            user([
              { type: "text", text: hostile },
              { type: "image_url", image_url: { url: "https://example.com/spy.png" } },
              { type: "image_url", image_url: { url: "javascript:alert(1)" } },
            ]),
            answer(text),
          ],
          reward: text.length,
          metrics: { [hostile]: 1 },
          logs: [hostile],
        })),
        exceptions: [{ type: hostile, message: hostile, traceback: hostile }],
      },
    ],
  });
  const far = await create("far");
  await models.log(far, {
    split: "train",
    trajectory_groups: [
      { trajectories: [{ reward: -400 }, { reward: 1200 }] },
      { trajectories: [{ reward: 3, messages_and_choices: [user("long"), answer("line\n".repeat(400))] }] },
    ],
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

const consoleUrl = () => server.consoleUrl() ?? "";
const pagesOf = (): [string, string][] => [
  ["runs", ""],
  ["no run of that name", "?q=nobody"],
  ["without logs", `runs/${ids["without-logs"]}`],
  ["overview", `runs/${ids["agent-1"]}`],
  ["groups", `runs/${ids["agent-1"]}/groups?sort=flagged`],
  ["group", `runs/${ids["agent-1"]}/groups/1.0`],
  ["rollouts", `runs/${ids["agent-1"]}/rollouts?at=1`],
  ["no attempt is so", `runs/${ids["agent-1"]}/rollouts?reward=7..`],
  ["jobs", `runs/${ids["agent-1"]}/jobs`],
  ["far rewards", `runs/${ids["far"]}`],
  ["one attempt, and a very long message", `runs/${ids["far"]}/groups/4.1`],
  ["deleted", "runs/00000000-0000-4000-8000-000000000000"],
  ["no such page", "nothing"],
];

async function settle(page: Page): Promise<void> {
  await page.waitForSelector("main h1, main h2");
  await page.waitForFunction(() => document.querySelector("[aria-busy]") === null);
}

describe.skipIf(!isAsked)("the console in a browser", () => {
  it("has no fault that axe knows, and no sideways scroll: all pages and states, themes and widths", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1440, 390]) {
        const { page, home, faults } = await openPage(browser, consoleUrl(), {
          colorScheme,
          viewport: { width, height: 900 },
        });
        for (const [name, path] of pagesOf()) {
          await page.goto(`${home}/console/${path}`);
          await settle(page);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          expect
            .soft({ name, colorScheme, width, wide, axe: await axe(page) })
            .toEqual({ name, colorScheme, width, wide: width, axe: [] });
        }
        expect.soft(faults).toEqual([]);
        await page.context().close();
      }
    }
  });

  it("shows hostile text as text", async () => {
    const { page, home, faults } = await openPage(browser, consoleUrl());
    const run = ids["hostile"] ?? "";
    for (const path of [
      "",
      `runs/${run}`,
      `runs/${run}/groups`,
      `runs/${run}/rollouts?at=0`,
      `runs/${run}/groups/3.0`,
    ]) {
      await page.goto(`${home}/console/${path}`);
      await settle(page);
      expect(await page.title()).not.toBe("owned");
      expect(await page.locator("img[src=x], a[href^=javascript], main script").count()).toBe(0);
    }
    expect(await page.getByText(hostile).count()).toBeGreaterThan(3);
    expect(await page.getByText("https://example.com/spy.png (not fetched)").count()).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("finds the attempt that was rewarded without a tool call, by keyboard alone", async () => {
    const { page, home } = await openPage(browser, consoleUrl());
    await page.goto(`${home}/console/?q=agent-1`);
    await page.waitForSelector(".runs a");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".groups a");
    // The flagged group is the first.
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".why");
    expect(await page.locator(".why").first().textContent()).toContain(
      "Rewarded 0.90 without a tool call. 2 of 3 attempts called one.",
    );
    await page.keyboard.press("p");
    await page.waitForFunction(() => new URLSearchParams(location.search).get("text") === "plain");
    await page.keyboard.press("b");
    await page.waitForFunction(() => new URLSearchParams(location.search).get("show") === "3,2");
    await page.keyboard.press("Escape");
    await page.context().close();
  });

  it("keeps the filter in the address, and walks what it lets through", async () => {
    const { page, home } = await openPage(browser, consoleUrl());
    await page.goto(`${home}/console/runs/${ids["agent-1"]}/rollouts`);
    await page.waitForSelector(".rows .row a");
    await page.getByLabel("reward", { exact: true }).fill("0.9..");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.search.includes("reward=0.9.."));
    await page.waitForFunction(() => document.querySelector(".total")?.textContent?.startsWith("3 of"));
    await page.getByLabel("reward", { exact: true }).blur();
    await page.keyboard.press("j");
    await page.waitForFunction(() => location.search.includes("at=0"));
    await page.keyboard.press("Enter");
    await page.waitForSelector(".roll");
    await page.goBack();
    await page.waitForFunction(() => location.search.includes("reward=0.9..&at=0"));
    await page.context().close();
  });

  it("shows what is logged as it comes, and says when nobody answers", async () => {
    const mine = makeServer({ console: true });
    const url = await mine.listen({ port: 0 });
    const { page } = await openPage(browser, mine.consoleUrl() ?? "");
    await page.getByText("Nothing yet").waitFor();
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
    await page.getByText("This run was deleted").waitFor();
    await mine.end();
    await page.getByText("Not connected since").waitFor();
    await page.context().close();
  });

  it("tells who has no cookie what to do", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(new URL("/console/", consoleUrl()).href);
    await page.getByText("Open the printed address").waitFor();
    await page.goto(new URL("/console/#a-code-that-is-wrong", consoleUrl()).href);
    await page.reload();
    await page.getByText("The code is not valid").waitFor();
    await context.close();
  });

  it("looks as in the pictures of the guide", async () => {
    const data = temporaryFolder();
    makeRollouts(data, { steps: 43, groups: 12, attempts: 8 });
    const made = makeServer({ data, console: true });
    await made.listen({ port: 0 });
    const shots = [
      ["overview", made, `runs/${madeRun}`, ".plot svg .line"],
      ["group", server, `runs/${ids["agent-1"]}/groups/1.0`, ".roll"],
    ] as const;
    for (const [name, of, path, ready] of shots) {
      const { page, home } = await openPage(browser, of.consoleUrl() ?? "", { viewport: { width: 1280, height: 860 } });
      await page.goto(`${home}/console/${path}`);
      await page.waitForSelector(ready);
      await page.waitForFunction(() => document.querySelector(".reading") === null);
      await settle(page);
      const taken = await page.screenshot();
      const file = new URL(`../../../docs/public/console/${name}.png`, import.meta.url);
      if (process.env["CONSOLE"] === "write") writeFileSync(file, taken);
      // Fonts differ from machine to machine: what has moved, or is gone, differs more.
      else
        expect
          .soft(await differing(page, readFileSync(file), taken), `${name}: write it anew with CONSOLE=write`)
          .toBeLessThan(0.06);
      await page.context().close();
    }
    await made.end();
  });
});

/** The share of pixels that differ between two pictures. */
function differing(page: Page, a: Buffer, b: Buffer): Promise<number> {
  const urls = [a, b].map((picture) => `data:image/png;base64,${picture.toString("base64")}`);
  return page.evaluate(async (sources) => {
    const pixels = await Promise.all(
      sources.map(async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        if (context === null) throw new Error("There is no canvas.");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
      }),
    );
    const [one = new Uint8ClampedArray(), other = new Uint8ClampedArray()] = pixels;
    if (one.length !== other.length) return 1;
    let count = 0;
    for (let at = 0; at < one.length; at += 4) if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > 32) count++;
    return count / (one.length / 4);
  }, urls);
}
