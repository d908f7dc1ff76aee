/** @module-tag long */
import { expect, it } from "vitest";
import { tasks } from "../../test/tasks.ts";
import { loadBase } from "../base/base-model.ts";
import { mean } from "./advantage.ts";

// One run of each task that takes less than a second; twenty of all, by `pnpm test learning`.
const runs = Number(process.env["LEARNING_RUNS"] ?? 1);
const first = Number(process.env["LEARNING_FIRST_SEED"] ?? 11);
const seeds = Array.from({ length: runs }, (_, run) => first + run);
const base = await loadBase();

it.each(tasks.filter(({ isQuick }) => isQuick || runs > 1))(
  "$name is learned with the defaults, in 19 of 20 runs and on average, also for other prompts",
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
