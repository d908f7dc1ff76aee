import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { effectiveRl, readRlSettings } from "./rl-settings.ts";

it("has a default for every setting, and treats null as missing", () => {
  const defaults = readRlSettings(undefined);
  expect(defaults).toEqual({
    lossFn: "cispo",
    epsilon: 1,
    epsilonHigh: 4,
    importanceSamplingLevel: "token",
    maxNegativeWeight: Infinity,
    truncation: Infinity,
    correction: undefined,
    maskRatios: false,
    tau: 0,
    scaleRewards: true,
    normalizeAdvantages: false,
    advantageBalance: 0,
    learningRate: 10,
    trajectoriesPower: 0,
    scaleRateByRewardStdDev: false,
    scaleRateByLength: true,
    allowWithoutLogprobs: false,
    precalculateLogprobs: false,
    kl: { coefficient: 0, source: "current_learner", reference: { step: 0 } },
  });
  const fields = [
    "learning_rate",
    "loss_fn",
    "epsilon",
    "kl_ref_adapter_path",
    "kl_penalty_step_lag",
    "plot_tensors",
    "unheard_of",
  ];
  expect(readRlSettings(Object.fromEntries(fields.map((field) => [field, null])))).toEqual(defaults);
  expect(readRlSettings({ unheard_of: 7 })).toEqual(defaults);
});

it("has the defaults that the guide states", () => {
  const file = new URL("../../../docs/src/content/docs/guides/training.mdx", import.meta.url);
  const [table = ""] =
    readFileSync(file, "utf8").split("### Settings of the tiny model")[1]?.split("fine-tuning job") ?? [];
  const stated = [...table.matchAll(/^\| `(\w+)` +\| `?([\d.]+|true|false|token|cispo|current_learner)\b/gm)].map(
    ([, name = "", value = ""]) => [name, valueOf(value)] as const,
  );
  expect(stated.length).toBeGreaterThan(14);
  // The default rate alone depends on the length of the answers.
  const { scaleRateByLength: _, ...defaults } = readRlSettings(undefined);
  expect(readRlSettings(Object.fromEntries(stated))).toMatchObject(defaults);
});

function valueOf(text: string): unknown {
  return /^(true|false|[\d.]+)$/.test(text) ? JSON.parse(text) : text;
}

const ppo = { lossFn: "ppo", epsilon: 0.2, epsilonHigh: 0.2 };
const kl = { coefficient: 0.1, source: "current_learner", reference: { step: 0 } };

it.each<[object, object]>([
  [{ ppo: true }, ppo],
  [{ loss_fn: "ppo" }, ppo],
  [
    { loss_fn: "ppo", epsilon: 0.1, epsilon_high: 0.3 },
    { ...ppo, epsilon: 0.1, epsilonHigh: 0.3 },
  ],
  // `epsilon` where it is given holds for both sides.
  [{ epsilon: 0.3 }, { lossFn: "cispo", epsilon: 0.3, epsilonHigh: 0.3 }],
  [{ ppo: false, loss_fn: "cispo" }, { lossFn: "cispo" }],
  // It bounds either the ratios, or the correction of recalculated log probabilities.
  [{ truncated_importance_sampling: 2 }, { truncation: 2, correction: undefined }],
  [
    { truncated_importance_sampling: 2, precalculate_logprobs: true },
    { truncation: Infinity, correction: 2 },
  ],
  [{ kl_penalty_coef: 0.1 }, { kl }],
  [
    { kl_penalty_coef: 0.1, kl_penalty_step_lag: 3, kl_penalty_source: "sample" },
    { kl: { ...kl, source: "sample", reference: { lag: 3 } } },
  ],
  [{ kl_penalty_coef: 0, kl_penalty_reference_step: 2 }, { kl: { ...kl, coefficient: 0, reference: { step: 2 } } }],
])("reads %j", (config, expected) => expect(readRlSettings(config)).toMatchObject(expected));

it.each([
  [{ loss_fn: "dpo" }, /experimental_config\.loss_fn is "dpo"; it must be "cispo", "ppo" or null/],
  [{ ppo: true, loss_fn: "cispo" }, /ppo is true, and loss_fn is "cispo". Leave one of them out/],
  [{ ppo: false, loss_fn: "ppo" }, /ppo is false, and loss_fn is "ppo"/],
  [{ epsilon: -0.1 }, /epsilon is -0\.1; it must be at least 0/],
  [{ advantage_balance: 2 }, /advantage_balance is 2; it must be at most 1/],
  [{ learning_rate: "fast" }, /learning_rate is "fast"; it must be a number/],
  [{ learning_rate: -1 }, /learning_rate is -1/],
  [{ scale_rewards: 1 }, /scale_rewards is 1; it must be true or false/],
  [{ kl_penalty_step_lag: 1.5 }, /kl_penalty_step_lag is 1\.5; it must be a whole number/],
  [{ kl_penalty_step_lag: 1, kl_penalty_reference_step: 0 }, /two reference policies/],
  [{ kl_ref_adapter_path: "/adapters/ref" }, /kl_ref_adapter_path names a file.*kl_penalty_reference_step/],
  [{ packed_sequence_length: 0 }, /packed_sequence_length is 0/],
  [[], /experimental_config is \[\]; it must be an object/],
])("rejects %j by name", (config, message) => {
  expect(() => readRlSettings(config)).toThrow(message);
});

it.each<[object, Record<string, [unknown, string]>]>([
  [
    {},
    { loss_fn: ["cispo", "default"], epsilon_high: [4, "default"], truncated_importance_sampling: [null, "default"] },
  ],
  [{ ppo: true }, { loss_fn: ["ppo", "derived"], epsilon: [0.2, "default"], epsilon_high: [0.2, "derived"] }],
  [{ epsilon: 0.5 }, { epsilon: [0.5, "sent"], epsilon_high: [0.5, "derived"] }],
  [{ learning_rate: 3 }, { learning_rate: [3, "sent"], learning_rate_after_scaling: [7, "derived"] }],
  [{ kl_penalty_step_lag: 2 }, { kl_penalty_step_lag: [2, "sent"], kl_penalty_reference_step: [null, "default"] }],
  [{ precalculate_logprobs: true, truncated_importance_sampling: 2 }, { truncated_importance_sampling: [2, "sent"] }],
])("reports every setting, with where it comes from: %j", (given, expected) => {
  const reported = effectiveRl(given, readRlSettings(given), 7);
  for (const [name, [value, origin]] of Object.entries(expected)) expect(reported[name]).toEqual({ value, origin });
  expect(Object.keys(reported)).toHaveLength(21);
});
