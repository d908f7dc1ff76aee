/** @module-tag long */
import { expect, it } from "vitest";
import { readFile } from "node:fs/promises";
import { ownPrompts, ownTasks } from "../../test/own-tasks.ts";
import { play, reinforce, tasks, type Outcome, type Rollout } from "../../test/tasks.ts";
import { loadBase } from "../base/base-model.ts";
import { game } from "../tasks/tasks.ts";
import { mean } from "./advantage.ts";

// One run of each task that takes less than a second; twenty of all, by `pnpm exec vitest run --project learning`.
const runs = Number(process.env["LEARNING_RUNS"] ?? 1);
const first = Number(process.env["LEARNING_FIRST_SEED"] ?? 11);
const seeds = Array.from({ length: runs }, (_, run) => first + run);
const base = await loadBase();

it.each(tasks.filter(({ isQuick }) => isQuick || runs > 1))(
  "$name is learned with the defaults, in 19 of 20 runs and on average, also for other prompts",
  { timeout: 3_600_000 },
  async ({ name, bar, unseenBar, run }) => {
    const outcomes = [];
    for (const seed of seeds) outcomes.push(await run(base, seed));
    for (const [of, least] of [
      ["seen", bar],
      ["unseen", unseenBar],
    ] as const) {
      const rewards = outcomes.map((outcome) => outcome[of]);
      const good = rewards.filter((reward) => reward >= least).length;
      const [average, lowest] = [mean(rewards), Math.min(...rewards)];
      if (runs > 1)
        console.log(`${name}, ${of}: mean ${average.toFixed(3)}, least ${lowest.toFixed(3)}, ${good} of ${runs} good`);
      expect({ of, average, share: good / runs }).toMatchObject({
        of,
        share: expect.toSatisfy((share: number) => share >= 0.95),
      });
      expect(average).toBeGreaterThanOrEqual(least);
    }
  },
);

it("guess-a-number, which takes longer, improves within ten jobs", async () => {
  const model = base.clone();
  let next = 7_000_000;
  // Each group has all numbers as often: what is best on the whole is compared, not what is best for one of them.
  const rollOut = () =>
    Array.from({ length: 4 }, () =>
      Array.from({ length: 56 }, (_, round) => play(model, game.question, 1 + (round % 7), (next += 3))),
    );
  const foundOf = (groups: Rollout[][]) => mean(groups.flat().map(({ reward }) => reward));
  let groups = rollOut();
  const before = foundOf(groups);
  expect(before).toBeLessThan(0.5);
  for (let job = 0; job < 10 && foundOf(groups) <= before + 0.15; job++) {
    // Kept near to the base model at first, it goes on trying other first guesses than the one that seems best so far.
    await reinforce(base, model, groups, { kl_penalty_coef: 0.3 * (1 - job / 30) });
    groups = rollOut();
  }
  expect(foundOf(groups)).toBeGreaterThan(before + 0.15);
});

it(
  "of 14 tasks that it was not made with, 11 are learned with the defaults, 10 also for other prompts",
  { timeout: 3_600_000 },
  async () => {
    const learned = { seen: 0, unseen: 0 };
    for (const { name, bar, unseenBar, run } of ownTasks) {
      const outcomes: Outcome[] = [];
      for (const seed of seeds) outcomes.push(await run(base, seed));
      const good = {
        seen: outcomes.filter(({ seen }) => seen >= bar).length,
        unseen: outcomes.filter(({ unseen }) => unseen >= unseenBar).length,
      };
      for (const of of ["seen", "unseen"] as const) if (good[of] >= 0.9 * runs) learned[of]++;
      const means = (["before", "seen", "unseen"] as const).map((of) =>
        mean(outcomes.map((one) => one[of])).toFixed(3),
      );
      if (runs > 1) console.log(`| ${name} | ${means.join(" | ")} | ${good.seen} / ${good.unseen} of ${runs} |`);
    }
    expect(learned.seen).toBeGreaterThanOrEqual(11);
    expect(learned.unseen).toBeGreaterThanOrEqual(10);
  },
);

it("the corpus has no prompt of these tasks", async () => {
  const names = ["numbers", "station", "yes-no-maybe"];
  const read = (name: string) => readFile(new URL(`../../corpus/${name}.txt`, import.meta.url), "utf8");
  const lines = (await Promise.all(names.map(read))).flatMap((text) => text.split("\n"));
  expect(lines).toContain("> Is it raining?");
  expect(ownPrompts.filter((prompt) => lines.includes(`> ${prompt}`))).toEqual([]);
});

it("a step that goes too far is halved at the default rate, and kept at a rate that was sent", async () => {
  const { run } = ownTasks.find(({ name }) => name === "JSON by a schema, the count by a word") ?? expect.fail();
  for (const seed of [15, 28]) {
    // All prompts get one of the two answers.
    expect((await run(base, seed, { learning_rate: 10 })).seen).toBeCloseTo(0.5, 1);
    expect((await run(base, seed)).seen).toBeGreaterThan(0.9);
  }
});
