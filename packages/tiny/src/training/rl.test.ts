import { expect, it } from "vitest";
import { maxRows } from "../model/context.ts";
import { TinyModel } from "../model/tiny-model.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import { createRandom } from "../sampling/random.ts";
import { mean } from "./advantage.ts";
import type { Measurements } from "./measurements.ts";
import type { RlData } from "./rl-data.ts";
import { readRlSettings } from "./rl-settings.ts";
import { passes, trainRl } from "./rl.ts";

const rowsUsed = 8;
/** How many tokens the mean is taken over. */
const total = 12;
const signal = new AbortController().signal;

function roughModel(seed: number): TinyModel {
  const random = createRandom(seed);
  const model = new TinyModel();
  for (let index = 0; index < rowsUsed * vocabularySize; index++) model.weights[index] = random() * 2 - 1;
  return model;
}

/** A few sequences of random tokens at random positions, logged by another policy by default. */
function roughData(seed: number, logged: "other" | "none" = "other"): RlData {
  const random = createRandom(seed, 1);
  const starts = [0, 3, 4, 9];
  const count = 9;
  const rows = new Int32Array(count * maxRows).fill(-1);
  for (let position = 0; position < count; position++) {
    for (let index = 0; index < 3; index++) rows[position * maxRows + index] = Math.floor(random() * rowsUsed);
  }
  return {
    positions: {
      tokens: Uint16Array.from({ length: count }, () => Math.floor(random() * vocabularySize)),
      rows,
      logged: Float64Array.from({ length: count }, () => (logged === "none" ? NaN : -4 - 3 * random())),
      starts,
    },
    advantages: Float64Array.from({ length: count }, () => random() * 2 - 1),
    sequences: [],
    // With three of groups that train nothing.
    tokens: total,
    trajectories: 3,
    measurements: { reward: 0.5, reward_std_dev: 0.25 },
    notices: [],
  };
}

async function run(
  model: TinyModel,
  data: RlData,
  config: object,
  { reference = roughModel(5), first = passes }: { reference?: TinyModel; first?: number } = {},
) {
  const steps: Measurements[] = [];
  for await (const step of trainRl(data, { model, reference, settings: readRlSettings(config), signal }))
    if (steps.push(step) === first) break;
  return steps;
}

function logprobsOf(model: TinyModel, { positions }: RlData): number[] {
  const all = new Float64Array(vocabularySize);
  return Array.from(positions.tokens, (token, position) => {
    model.logprobs(positions.rows, all, position * maxRows);
    return all[token] ?? 0;
  });
}

/** Goes down a gradient token by token, in plain loops, with slopes that depend on the log probabilities of now. */
function descend(model: TinyModel, { positions }: RlData, slopes: (logprobs: number[]) => number[], rate: number) {
  const found = slopes(logprobsOf(model, { positions } as RlData));
  const gradient = new Float64Array(rowsUsed * vocabularySize);
  const all = new Float64Array(vocabularySize);
  for (const [position, token] of positions.tokens.entries()) {
    model.logprobs(positions.rows, all, position * maxRows);
    for (let index = position * maxRows; (positions.rows[index] ?? -1) >= 0; index++) {
      for (let other = 0; other < vocabularySize; other++) {
        gradient[(positions.rows[index] ?? 0) * vocabularySize + other]! +=
          (found[position] ?? 0) * ((other === token ? 1 : 0) - Math.exp(all[other] ?? 0));
      }
    }
  }
  for (const [index, slope] of gradient.entries()) model.weights[index]! -= rate * slope;
}

function expectSame(model: TinyModel, expected: TinyModel) {
  for (let index = 0; index < rowsUsed * vocabularySize; index++) {
    expect(model.weights[index]).toBeCloseTo(expected.weights[index] ?? NaN, 4);
  }
}

it("takes the steps of a reference computation, with ratios to the logged log probabilities", async () => {
  const data = roughData(1);
  const [model, plain] = [roughModel(1), roughModel(1)];
  const steps = await run(model, data, { learning_rate: 2, epsilon: 0.5, epsilon_high: 2 });
  expect(steps).toHaveLength(passes);
  for (let pass = 0; pass < passes; pass++) {
    const slopes = (logprobs: number[]) =>
      logprobs.map((logprob, token) => {
        const ratio = Math.exp(logprob - (data.positions.logged[token] ?? 0));
        return (-Math.min(3, Math.max(0.5, ratio)) * (data.advantages[token] ?? 0)) / total;
      });
    descend(plain, data, slopes, 2);
  }
  expectSame(model, plain);
  expect(steps[0]?.["clip_fraction"]).toBeGreaterThan(0);
});

it("uses the starting weights for log probabilities that were not logged, so the ratios of the first step are 1", async () => {
  const data = roughData(2, "none");
  const [model, plain] = [roughModel(2), roughModel(2)];
  const start = logprobsOf(plain, data);
  const steps = await run(model, data, { learning_rate: 3 });
  for (let pass = 0; pass < passes; pass++) {
    const slopes = (logprobs: number[]) =>
      logprobs.map(
        (logprob, token) =>
          (-Math.min(5, Math.exp(logprob - (start[token] ?? 0))) * (data.advantages[token] ?? 0)) / total,
      );
    descend(plain, data, slopes, 3);
  }
  expectSame(model, plain);
  expect(steps[0]).toMatchObject({ kl: 0, clip_fraction: 0 });
  expect(steps.at(-1)?.["kl"]).toBeGreaterThan(0);
});

it("corrects precalculated log probabilities by their difference from the logged ones", async () => {
  const data = roughData(3);
  const [model, plain] = [roughModel(3), roughModel(3)];
  const start = logprobsOf(plain, data);
  await run(
    model,
    data,
    { learning_rate: 3, precalculate_logprobs: true, truncated_importance_sampling: 1.5 },
    { first: 1 },
  );
  const slopes = (logprobs: number[]) =>
    logprobs.map(
      (_, token) =>
        (-Math.min(1.5, Math.exp((start[token] ?? 0) - (data.positions.logged[token] ?? 0))) *
          (data.advantages[token] ?? 0)) /
        total,
    );
  descend(plain, data, slopes, 3);
  expectSame(model, plain);
});

it.each(["current_learner", "sample"])(
  "stays close to the reference, by the log probabilities of the %s",
  async (source) => {
    const data = roughData(4);
    const reference = roughModel(5);
    const [model, plain] = [roughModel(4), roughModel(4)];
    const config = { learning_rate: 3, kl_penalty_coef: 0.5, kl_penalty_source: source };
    const [step] = await run(model, data, config, { reference, first: 1 });
    const of = logprobsOf(reference, data);
    const slopes = (logprobs: number[]) => {
      const distances = logprobs.map(
        (logprob, token) => (source === "sample" ? (data.positions.logged[token] ?? 0) : logprob) - (of[token] ?? 0),
      );
      const mean = distances.reduce((sum, one) => sum + one, 0) / 9;
      return logprobs.map((logprob, token) => {
        const advantage = (data.advantages[token] ?? 0) + 0.5 * (mean - (distances[token] ?? 0));
        return (-Math.min(5, Math.exp(logprob - (data.positions.logged[token] ?? 0))) * advantage) / total;
      });
    };
    // Between -7 and -4, these tokens are as surprising as forced ones.
    const forced = data.positions.logged.reduce((sum, logprob) => sum - logprob, 0) / 9 / 1.8;
    const rate = 3 / (1 + (3 * 0.5 * forced) / (source === "sample" ? 1.25 : 5));
    descend(plain, data, slopes, rate);
    expectSame(model, plain);
    expect(step?.["kl_reference"]).toBeGreaterThan(0);
    expect(step?.["learning_rate"]).toBeCloseTo(rate, 12);
  },
);

it("multiplies the learning rate by the settings", async () => {
  const rateOf = async (config: object) =>
    (await run(roughModel(6), roughData(6), config, { first: 1 }))[0]?.["learning_rate"];
  expect(await rateOf({ learning_rate: 2 })).toBe(2);
  expect(await rateOf({ learning_rate: 2, num_trajectories_learning_rate_multiplier_power: 2 })).toBe(18);
  expect(await rateOf({ learning_rate: 2, scale_learning_rate_by_reward_std_dev: true })).toBe(0.5);
});

it("takes rounding for no rise: answers that differ in their rewards alone keep the default rate", async () => {
  const { positions, ...data } = roughData(8, "none");
  positions.tokens.fill(7);
  for (let index = 0; index < positions.rows.length; index++) positions.rows[index] = positions.rows[index % maxRows]!;
  const advantages = data.advantages.map((one) => one - mean(data.advantages));
  const steps = await run(new TinyModel(), { ...data, positions, advantages }, {});
  expect(steps.map((step) => step["learning_rate"])).toEqual([10, 10, 10, 10]);
});

it("reports only finite numbers", async () => {
  for (const step of await run(roughModel(7), roughData(7), {})) {
    for (const value of Object.values(step)) expect(Number.isFinite(value)).toBe(true);
    expect(Object.keys(step)).toEqual(
      expect.arrayContaining([
        "loss",
        "reward",
        "reward_std_dev",
        "kl",
        "kl_reference",
        "entropy",
        "clip_fraction",
        "gradient_norm",
        "learning_rate",
        "tokens_per_second",
      ]),
    );
  }
});

it("stops in the middle if it is aborted", async () => {
  const controller = new AbortController();
  const steps = trainRl(roughData(8), {
    model: roughModel(8),
    reference: roughModel(5),
    settings: readRlSettings({}),
    signal: controller.signal,
  });
  await steps.next();
  controller.abort();
  await expect(steps.next()).rejects.toThrow(/abort/i);
});
