import { fileURLToPath } from "node:url";
import { buildConsole } from "@trainyard/console/build";
import { launch, program, type Browser, type Page } from "@trainyard/testing/browser";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { temporaryFolder } from "../folders.ts";
import { allShown, makeServer, type TestServer } from "../lib.ts";
import * as browser from "./browser.ts";
import { MadeRun, openDatabase } from "./rollouts.ts";

/** The ids of the runs, by their names. */
export type ShownIds = Readonly<Record<string, string>>;

const user = (content: unknown) => ({ role: "user" as const, content: content as string });
/** A choice with the log probabilities of some of its words; the others have the probability 1. */
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
/** A script that would run if the text were used as markup. */
export const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script><a href="javascript:document.title='owned'">x</a>`;

/** Whether to test the console in a browser. Only `pnpm exec vitest run --project console-pages` does, because it takes too long for `pnpm test`. */
export const isAsked: boolean = process.env["CONSOLE"] !== undefined && program !== undefined;

/** The server, the browser and the runs, available once the tests run. */
export interface Shown {
  readonly browser: Browser;
  readonly server: TestServer;
  readonly ids: ShownIds;
}

/** Builds the console, and starts a server and a browser for the tests of a file. They stop after the tests. */
export function useShown(): () => Shown {
  let shown: Shown | undefined;
  beforeAll(async () => {
    if (!isAsked) return;
    await buildConsole(fileURLToPath(new URL("../../dist/pages", import.meta.url)));
    shown = { ...(await makeShown()), browser: await launch() };
  });
  afterAll(async () => {
    await shown?.browser.close();
    await shown?.server.end();
  });
  return () => {
    if (shown === undefined)
      throw new Error("The console starts before the first test of the file. Read this inside a test.");
    return shown;
  };
}

/** Writes runs of several steps. In `fell`, the reward falls from 0.63 to 0.36, because the tool of eight tasks fails. */
function makeRuns(folder: string): Record<string, string> {
  const database = openDatabase(folder);
  const task = (name: string, rewards: readonly number[], said: string) => ({
    metadata: { task: name, dataset: name.replace(/-\d+$/, "") },
    trajectories: rewards.map((reward, at) => ({
      messages_and_choices: [user(`Please help with ${name}.`), answer(`${said} (${at + 1})`)],
      reward,
      metrics: { polite: at % 2 },
    })),
  });
  const around = (mean: number, by: number) => Array.from({ length: 8 }, (_, at) => mean + (at % 2 === 0 ? by : -by));
  const write = (name: string, last: number) => {
    const run = new MadeRun(database, name);
    for (let step = 0; step < 10; step++) {
      const base = 0.36 + 0.03 * step + (step > 8 ? -0.0025 : 0.03);
      const isBroken = step > 8 && last < 0.5;
      const groups = Array.from({ length: 8 }, (_, at) => [
        task(`hours-${at}`, around(base + (at - 3.5) / 50, 0.2), "We open at nine."),
        isBroken
          ? task(`refund-${at}`, around(0.02 * (at + 1), 0.01), "The refund tool answers: currency missing")
          : task(`refund-${at}`, around(base + (at - 3.5) / 50, 0.2), "Your money is on its way."),
      ]).flat();
      run.log(groups);
      run.log([task("hours-0", around(base, 0.1), "We open at nine.")], "val");
      const settings = { learning_rate: step === 8 ? 5 : 1, kl_penalty_coef: 0.1 };
      if (step < 9) run.train(groups, [{ entropy: 1 - step / 20, kl: 0.01, loss: 0.1 }], settings);
    }
    return run.id;
  };
  const ids: Record<string, string> = { fell: write("fell", 0), steady: write("steady", 1) };
  const huge = new MadeRun(database, "huge");
  const none = { trajectories: [], exceptions: [{ type: "Late", message: "", traceback: "" }] };
  for (const reward of [1e308, -1e308, 1e308]) {
    huge.log([task("big", [reward, reward], "x"), task("both", [1e308, -1e308], "y"), none]);
    huge.train([], [], null);
  }
  huge.log([none]);
  ids["huge"] = huge.id;
  database.close();
  return ids;
}

/** A server with the console and a run for each state that its pages have. */
async function makeShown(): Promise<{ server: TestServer; ids: ShownIds }> {
  const data = temporaryFolder(afterAll);
  const ids = makeRuns(data);
  const server = makeServer({ data, console: true });
  await server.listen({ port: 0 });
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
          metadata: { [hostile]: hostile },
          logs: [hostile],
        })),
        logs: [hostile],
        exceptions: [{ type: hostile, message: hostile, traceback: hostile }],
      },
    ],
  });
  const noted = await create("noted");
  for (let log = 0; log < 3; log++) {
    await models.log(noted, {
      split: "train",
      trajectory_groups: ["gsm8k", "math", "a/b & !c"].map((dataset, at) => ({
        metadata: { task: `sum-${at}`, dataset, level: at },
        metrics: { cost: 0.25 * at },
        logs: ["the environment was started", "the environment was stopped"],
        trajectories: Array.from({ length: 4 }, (_, place) => ({
          messages_and_choices: [
            user(`What is ${place} + ${at}?`),
            call,
            result,
            answer(`It is ${place + at}.`, { It: -3 }),
          ],
          reward: (place + log) / 6,
          metrics: { passed: place > 1, turns: 2 + place },
          metadata: { seed: 100 * at + 10 * log + place, worker: "rollout-7" },
          initial_policy_version: 0,
          final_policy_version: place % 2,
          start_time: `2026-11-04T12:0${log}:0${place}Z`,
          logs: [`attempt ${place} began`],
        })),
      })),
    });
  }
  const many = await create("many");
  await models.log(many, {
    split: "train",
    trajectory_groups: [
      {
        metadata: { task: "two thousand" },
        trajectories: Array.from({ length: 2000 }, (_, at) => ({
          messages_and_choices: [user("Which?"), answer(`The ${at}th.`)],
          reward: (at % 100) / 100,
        })),
      },
    ],
  });
  const edge = await create("edge");
  await models.log(edge, {
    split: "train",
    trajectory_groups: [
      { metadata: { task: "huge" }, trajectories: [{ reward: 1e308 }, { reward: -1e308 }, { reward: 1.7e308 }] },
      { metadata: { task: "none" }, trajectories: [] },
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
  const logged = await allShown(server.connect("local"), "groups", agent, { sort: "place" });
  ids["first log"] = logged[0]?.id.split(".")[0] ?? "";
  return { server, ids };
}

/** A group by its log, counted from the first log of `agent-1`, and its place there. */
export function groupOf(ids: ShownIds, log: number, place = 0): string {
  return `${Number(ids["first log"]) - 1 + log}.${place}`;
}

/** Every page and state, with a name and its address. */
export const pagesOf = (ids: ShownIds): [string, string][] => [
  ["runs", ""],
  ["no run with this name", "?q=nobody"],
  ["without logs", `runs/${ids["without-logs"]}`],
  ["overview", `runs/${ids["agent-1"]}`],
  ["zoomed", `runs/${ids["agent-1"]}?from=0&to=1`],
  ["group", `runs/${ids["agent-1"]}/groups/${groupOf(ids, 1)}`],
  ["rollouts", `runs/${ids["agent-1"]}/rollouts?at=1`],
  ["overview by metadata", `runs/${ids["noted"]}?by=dataset`],
  [
    "rollouts with filters",
    `runs/${ids["noted"]}/rollouts?metadata.dataset=gsm8k&metric.turns=..4&flag=!cut&sort=-advantage&at=0`,
  ],
  ["full text", `runs/${ids["noted"]}/rollouts?text=transit+-refund&at=0`],
  ["an unknown name in the address", `runs/${ids["noted"]}/rollouts?metdata.dataset=gsm8k`],
  ["group with metadata and log lines", `runs/${ids["noted"]}/groups/${groupOf(ids, 4)}`],
  ["two thousand attempts", `runs/${ids["many"]}/groups/${groupOf(ids, 7)}`],
  ["rewards near the largest number", `runs/${ids["edge"]}`],
  ["no attempts", `runs/${ids["edge"]}/groups/${groupOf(ids, 8, 1)}`],
  ["no matching attempt", `runs/${ids["agent-1"]}/rollouts?reward=7..`],
  ["jobs", `runs/${ids["agent-1"]}/jobs`],
  ["compare of steps", `compare?runs=${ids["fell"]}@8,${ids["fell"]}@9`],
  ["compare of runs", `compare?runs=${ids["steady"]},${ids["fell"]},nobody@3&by=time`],
  ["compare without a common task", `compare?runs=${ids["agent-1"]},${ids["fell"]},${ids["far"]}`],
  ["nothing to compare", "compare"],
  ["tasks", `runs/${ids["fell"]}/tasks`],
  ["tasks without rollouts", `runs/${ids["without-logs"]}/tasks`],
  ["a task", `runs/${ids["fell"]}/tasks/refund-3`],
  ["no such task", `runs/${ids["fell"]}/tasks/nothing`],
  ["huge rewards", `runs/${ids["huge"]}`],
  ["tasks with huge rewards", `runs/${ids["huge"]}/tasks`],
  ["compare of huge rewards", `compare?runs=${ids["huge"]}@0,${ids["huge"]}@1,${ids["huge"]}@3`],
  ["far rewards", `runs/${ids["far"]}`],
  ["one attempt, and a very long message", `runs/${ids["far"]}/groups/${groupOf(ids, 9, 1)}`],
  ["deleted", "runs/00000000-0000-4000-8000-000000000000"],
  ["no such page", "nothing"],
];

/** Waits until a page has finished all requests. */
export async function settle(page: Page): Promise<void> {
  await page.waitForSelector("main h1, main h2");
  await page.waitForFunction(() => document.querySelector("[aria-busy], [data-reading]") === null);
}

/** Opens the console for a test, and closes it afterwards. */
export const openPage: typeof browser.openPage = async (...args) => {
  const opened = await browser.openPage(...args);
  onTestFinished(() => opened.page.context().close());
  return opened;
};
