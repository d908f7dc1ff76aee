import type { AdvantageSettings } from "./advantage.ts";
import { Fields } from "./fields.ts";
import type { LossSettings } from "./loss.ts";
import { TrainingFailure } from "./training-failure.ts";

/** The settings of reinforcement learning: ExperimentalTrainingConfig with its defaults. */
export interface RlSettings extends AdvantageSettings, LossSettings {
  readonly learningRate: number;
  /** Multiplies the learning rate by the number of trained trajectories to this power. */
  readonly trajectoriesPower: number;
  /** Multiplies the learning rate by the mean standard deviation of the rewards of a group. */
  readonly scaleRateByRewardStdDev: boolean;
  readonly allowWithoutLogprobs: boolean;
  /** Treats the starting weights as the policy that was sampled from, instead of the logged log probabilities. */
  readonly precalculateLogprobs: boolean;
  /** The largest π_start/π_logged that corrects precalculated log probabilities; undefined for no correction. */
  readonly correction: number | undefined;
  /** The penalty for moving away from a reference, if any. */
  readonly kl: KlSettings | undefined;
}

export interface KlSettings {
  /** More than 0. */
  readonly coefficient: number;
  /** A step, or how many steps before the one that the job starts from. */
  readonly reference: { readonly step: number } | { readonly lag: number };
  /** The policy whose log probabilities are compared with the reference. */
  readonly source: "current_learner" | "sample";
}

/**
 * Plain stochastic gradient descent on a mean over tokens. A feature is active for only some of the tokens, hence a
 * rate this large.
 */
const defaultLearningRate = 10;

/**
 * Reads `experimental_config`. Null, or left out, means:
 *
 * | field | default |
 * | --- | --- |
 * | `loss_fn`, `ppo` | `cispo`; `ppo: true` is another word for `loss_fn: "ppo"` |
 * | `epsilon`, `epsilon_high` | `cispo`: 1 and 4; `ppo`: 0.2 and `epsilon` |
 * | `importance_sampling_level` | `token` |
 * | `scale_rewards`, `normalize_advantages`, `advantage_balance` | true, false, 0 |
 * | `max_negative_advantage_importance_sampling_weight`, `truncated_importance_sampling` | no bound |
 * | `mask_prob_ratio`, `kimi_k2_tau` | false, 0 |
 * | `kl_penalty_coef`, `kl_penalty_source` | 0, `current_learner` |
 * | `kl_penalty_reference_step`, `kl_penalty_step_lag` | step 0, the base model |
 * | `learning_rate` | 10 |
 * | `num_trajectories_learning_rate_multiplier_power`, `scale_learning_rate_by_reward_std_dev` | 0, false |
 * | `allow_training_without_logprobs`, `precalculate_logprobs` | false, false |
 *
 * `logprob_calculation_chunk_size`, `packed_sequence_length` and `plot_tensors` only save memory or draw, so they have
 * no effect. `kl_ref_adapter_path` names a file of another kind of model and is refused. Fields of other names are
 * ignored.
 *
 * @throws TrainingFailure if a value is invalid, or two contradict each other
 */
export function readRlSettings(config: unknown): RlSettings {
  const fields = new Fields("experimental_config", config);
  const lossFn = readLossFn(fields);
  const epsilon = fields.number("epsilon", { min: 0 }) ?? (lossFn === "ppo" ? 0.2 : 1);
  const isGiven = fields.has("epsilon");
  const truncation = fields.number("truncated_importance_sampling", { min: 0 });
  const precalculateLogprobs = fields.boolean("precalculate_logprobs") ?? false;
  fields.integer("logprob_calculation_chunk_size", { min: 1 });
  fields.integer("packed_sequence_length", { min: 1 });
  fields.boolean("plot_tensors");
  return {
    lossFn,
    epsilon,
    epsilonHigh: fields.number("epsilon_high", { min: 0 }) ?? (lossFn === "ppo" || isGiven ? epsilon : 4),
    importanceSamplingLevel:
      fields.oneOf("importance_sampling_level", ["token", "sequence", "average", "geometric_average"]) ?? "token",
    maxNegativeWeight: fields.number("max_negative_advantage_importance_sampling_weight", { min: 0 }) ?? Infinity,
    truncation: precalculateLogprobs ? Infinity : (truncation ?? Infinity),
    correction: precalculateLogprobs ? truncation : undefined,
    maskRatios: fields.boolean("mask_prob_ratio") ?? false,
    tau: fields.number("kimi_k2_tau", { min: 0 }) ?? 0,
    scaleRewards: fields.boolean("scale_rewards") ?? true,
    normalizeAdvantages: fields.boolean("normalize_advantages") ?? false,
    advantageBalance: fields.number("advantage_balance", { min: -1, max: 1 }) ?? 0,
    learningRate: fields.number("learning_rate", { min: 0 }) ?? defaultLearningRate,
    trajectoriesPower: fields.number("num_trajectories_learning_rate_multiplier_power") ?? 0,
    scaleRateByRewardStdDev: fields.boolean("scale_learning_rate_by_reward_std_dev") ?? false,
    allowWithoutLogprobs: fields.boolean("allow_training_without_logprobs") ?? false,
    precalculateLogprobs,
    kl: readKl(fields),
  };
}

function readLossFn(fields: Fields): "cispo" | "ppo" {
  const lossFn = fields.oneOf("loss_fn", ["cispo", "ppo"]);
  const ppo = fields.boolean("ppo");
  const other = ppo === true ? "ppo" : "cispo";
  if (lossFn !== undefined && ppo !== undefined && lossFn !== other) {
    throw new TrainingFailure(
      `experimental_config.ppo is ${ppo}, and loss_fn is "${lossFn}". Leave one of them out: loss_fn alone says it.`,
    );
  }
  return lossFn ?? other;
}

function readKl(fields: Fields): KlSettings | undefined {
  if (fields.has("kl_ref_adapter_path")) {
    throw new TrainingFailure(
      "experimental_config.kl_ref_adapter_path names a file, and this model has no adapters. Name one of its own steps with kl_penalty_reference_step.",
    );
  }
  const coefficient = fields.number("kl_penalty_coef", { min: 0 }) ?? 0;
  const source = fields.oneOf("kl_penalty_source", ["current_learner", "sample"]) ?? "current_learner";
  const step = fields.integer("kl_penalty_reference_step", { min: 0 });
  const lag = fields.integer("kl_penalty_step_lag", { min: 1 });
  if (step !== undefined && lag !== undefined) {
    throw new TrainingFailure(
      "experimental_config names two reference policies: kl_penalty_reference_step and kl_penalty_step_lag. Leave one of them out.",
    );
  }
  if (coefficient === 0) return undefined;
  return { coefficient, source, reference: lag === undefined ? { step: step ?? 0 } : { lag } };
}
