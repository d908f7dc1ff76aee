import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ask, roughModel } from "../../test/lib.ts";
import { answer } from "../../test/rollout.ts";
import { loadBase } from "../base/base-model.ts";
import { maxRows } from "../model/context.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import type { Batch } from "./batch.ts";
import { readRlData, type RlData } from "./rl-data.ts";
import { readRlSettings } from "./rl-settings.ts";
import { measure, trainRl } from "./rl.ts";

const { signal } = new AbortController();

/** The probabilities of all tokens at a position, in plain loops. */
function distributionAt({ weights }: TinyModel, rows: Int32Array, position: number): Float64Array {
  const logits = new Float64Array(vocabularySize);
  for (const row of rows.subarray(position * maxRows, (position + 1) * maxRows)) {
    if (row < 0) break;
    for (let token = 0; token < vocabularySize; token++) logits[token]! += weights[row * vocabularySize + token]!;
  }
  const largest = Math.max(...logits);
  const chances = logits.map((logit) => Math.exp(logit - largest));
  const sum = chances.reduce((all, one) => all + one, 0);
  return chances.map((one) => one / sum);
}

/** Σ π·log(π/π_ref), the mean over the positions. */
function distanceOf(model: TinyModel, reference: TinyModel, { tokens, rows }: Batch): number {
  let sum = 0;
  for (const position of tokens.keys()) {
    const other = distributionAt(reference, rows, position);
    for (const [token, one] of distributionAt(model, rows, position).entries())
      if (one > 0) sum += one * Math.log(one / (other[token] ?? 0));
  }
  return sum / tokens.length;
}

/** Does a job, and compares the distance of each pass, which is that before its step. */
async function expectExact(model: TinyModel, reference: TinyModel, data: RlData, config: object): Promise<void> {
  let before = model.clone();
  for await (const step of trainRl(data, { model, reference, settings: readRlSettings(config), signal })) {
    const expected = distanceOf(before, reference, data.positions);
    expect(Math.abs((step["kl_reference"] ?? NaN) - expected)).toBeLessThan(1e-6 * Math.max(1, expected));
    before = model.clone();
  }
}

/** A few tokens at random positions, some of which have all of the rows that a position can have. */
const batch = fc
  .array(
    fc.record({
      token: fc.nat({ max: vocabularySize - 1 }),
      rows: fc.array(fc.nat({ max: 40 }), { maxLength: maxRows }),
      advantage: fc.double({ min: -2, max: 2, noNaN: true }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((list): RlData => {
    const rows = new Int32Array(list.length * maxRows).fill(-1);
    for (const [position, one] of list.entries()) rows.set(one.rows, position * maxRows);
    return {
      positions: {
        tokens: Uint16Array.from(list, ({ token }) => token),
        rows,
        logged: new Float64Array(list.length).fill(NaN),
        starts: [0, list.length],
      },
      advantages: Float64Array.from(list, ({ advantage }) => advantage),
      sequences: [],
      tokens: list.length,
      trajectories: 1,
      measurements: {},
      notices: [],
    };
  });

it("the distance is exact in each pass, whatever was said, also far from the reference", async () => {
  const models = [1, 2, 3].map((seed) => roughModel(seed, seed));
  await fc.assert(
    fc.asyncProperty(batch, fc.nat(2), fc.nat(2), fc.constantFrom(0.1, 10, 300), async (data, one, other, rate) => {
      const [model, reference] = [models[one]?.clone() ?? expect.fail(), models[other] ?? expect.fail()];
      const settings = readRlSettings({ learning_rate: rate });
      const { kl_reference: distance } = await measure(data.positions, { model, reference, settings, signal });
      expect(distance).toBeCloseTo(distanceOf(model, reference, data.positions), 9);
      await expectExact(model, reference, data, { learning_rate: rate });
    }),
    { numRuns: 8 },
  );
});

const lessons = new URL("../../../samples/programs/learning/", import.meta.url);
const measured: {
  readonly question: string;
  readonly runs: readonly { readonly name: string; readonly steps: readonly { readonly reward: number }[] }[];
} = JSON.parse(readFileSync(new URL("runs.json", lessons), "utf8"));
const [, list = ""] = readFileSync(new URL("questions.ts", lessons), "utf8").split(/export const \w+ = |\];/);
const questions: string[] = JSON.parse(`${list.trim().replace(/,$/, "")}]`);

const worth: Readonly<Record<string, number>> = { yes: 0.5, no: 0.75, maybe: 1 };
const wanted = (text: string) => worth[text] ?? 0;
const rewards: Readonly<Record<string, [reward: (text: string) => number, config: object]>> = {
  "as-wanted": [wanted, {}],
  "reward-hacking": [(text) => Math.min(text.length, 12) / 12, {}],
  collapse: [wanted, { learning_rate: 300 }],
};

it.each(measured.runs)(
  "the distance is exact in each pass of the lesson $name",
  { tags: ["long"] },
  async ({ name, steps }) => {
    const [rewardOf, config] = rewards[name] ?? expect.fail();
    const base = await loadBase();
    const model = base.clone();
    expect(`${questions[0]} Yes, no or maybe?`).toBe(measured.question);
    for (const [step, { reward }] of steps.entries()) {
      const groups = questions.map((question, place) => ({
        trajectories: Array.from({ length: 8 }, (_, attempt) => {
          const asked = ask(`${question} Yes, no or maybe?`);
          const choice = answer(model, asked, (step * 100 + place) * 100 + attempt, 1, 12);
          const text = choice.message.content.trim().toLowerCase();
          return { messages_and_choices: [...asked, choice], reward: rewardOf(text) };
        }),
      }));
      // It is the lesson of the guide: its rewards are those that the guide draws.
      const all = groups.flatMap(({ trajectories }) => trajectories.map((one) => one.reward));
      expect(all.reduce((sum, one) => sum + one, 0) / all.length).toBeCloseTo(reward, 9);
      const data = readRlData(groups, readRlSettings(config));
      if (step < steps.length - 1 && data.positions.tokens.length > 0) await expectExact(model, base, data, config);
    }
  },
);
