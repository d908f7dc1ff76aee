/** @module-tag long */
import { expect, it } from "vitest";
import { ask, probabilityOf } from "../../test/lib.ts";
import { ownTasks } from "../../test/own-tasks.ts";
import { answer } from "../../test/rollout.ts";
import { reinforce } from "../../test/tasks.ts";
import { loadBase } from "../base/base-model.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { promptTasks } from "../tasks/tasks.ts";
import { mean } from "./advantage.ts";

// `LEARNING_RUNS=3` prints the table of the guide; one run of the coarsest grid shows the same.
const runs = Number(process.env["LEARNING_RUNS"] ?? 1);
const isWhole = runs > 1;
// The default rate, null, is halved where a step goes too far, if there is no penalty.
const rates = isWhole ? [null, 1, 3, 10, 30] : [null, 1, 30];
const coefficients = isWhole ? [0, 0.1, 0.3, 1, 2, 5, 20] : [0, 1, 20];
const base = await loadBase();
const { seen, reward } = promptTasks.maybe;

/** The chances of yes, no, maybe and all other answers to each question. */
function chancesOf(model: TinyModel): number[][] {
  return seen.map((question) => {
    const known = ["yes", "no", "maybe"].map((text) => probabilityOf(model, question, text));
    return [...known, Math.max(1e-12, 1 - known.reduce((sum, one) => sum + one, 0))];
  });
}

/** The exact expected reward, KL to the base model in nats an answer, and chance of other answers, after 20 jobs. */
async function outcome(config: object, seed: number): Promise<readonly [reward: number, kl: number, others: number]> {
  const model = base.clone();
  let next = seed * 1_000_000;
  const roll = (question: string) =>
    Array.from({ length: 16 }, () => {
      const choice = answer(model, ask(question), next++);
      return { messages_and_choices: [...ask(question), choice], reward: reward(question, choice.message.content) };
    });
  for (let job = 0; job < 20; job++) await reinforce(base, model, seen.map(roll), config);
  const [chances, before] = [chancesOf(model), chancesOf(base)];
  const klOf = (one: number[], index: number) =>
    one.reduce((sum, chance, at) => sum + chance * Math.log(chance / (before[index]?.[at] ?? 1)), 0);
  return [
    mean(chances.map(([yes = 0, no = 0, maybe = 0]) => 0.5 * yes + 0.75 * no + maybe)),
    mean(chances.map(klOf)),
    mean(chances.map(([, , , others = 0]) => others)),
  ];
}

it.each(["current_learner", "sample"])(
  "a larger penalty by the %s moves the model less, at every rate",
  { timeout: isWhole ? 3_600_000 : 60_000 },
  async (source) => {
    const untrained = mean(chancesOf(base).map(([, , , others = 0]) => others));
    const table = [`| rate | ${coefficients.join(" | ")} |`];
    for (const rate of rates) {
      let before = Infinity;
      const cells: string[] = [];
      for (const coefficient of coefficients) {
        const config = { learning_rate: rate, kl_penalty_coef: coefficient, kl_penalty_source: source };
        const outcomes: (readonly number[])[] = [];
        for (let seed = 1; seed <= runs; seed++) outcomes.push(await outcome(config, seed));
        const [won, kl, others] = [0, 1, 2].map((at) => mean(outcomes.map((one) => one[at] ?? NaN)));
        cells.push(`${won?.toFixed(3)} / ${kl?.toFixed(3)}`);
        expect(kl).toBeLessThanOrEqual(before + 0.02);
        expect(others).toBeLessThanOrEqual(untrained + 0.01);
        before = kl ?? NaN;
      }
      table.push(`| ${rate ?? "default"} | ${cells.join(" | ")} |`);
    }
    if (isWhole) console.log(`${source}: reward / KL by kl_penalty_coef\n${table.join("\n")}`);
  },
);

it("a penalty holds answers whose tokens a schema forces on the model, and lets them learn", async () => {
  const { run } = ownTasks.find(({ name }) => name === "JSON by a schema, the count by a word") ?? expect.fail();
  const outcomes = [];
  for (const coefficient of [0.3, 1, 20]) outcomes.push(await run(base, 1, { kl_penalty_coef: coefficient }));
  const [weak, medium, strong] = outcomes.map(({ seen: won }) => won);
  expect(weak).toBeGreaterThan(0.8);
  expect(medium).toBeGreaterThan(0.5);
  expect(strong).toBeCloseTo(outcomes[0]?.before ?? NaN, 1);
});
