import type { ExperimentalTrainingConfig } from "@trainyard/training";
import { isExperimentalTrainingConfig } from "@trainyard/training/validators";
import type { AdvantageSettings } from "@trainyard/training/rollouts";
import { valid } from "./config.ts";
import type { LossSettings } from "./loss.ts";
import { TrainingFailure } from "./training-failure.ts";

/** The settings of reinforcement learning: ExperimentalTrainingConfig with its defaults. */
export interface RlSettings extends AdvantageSettings, LossSettings {
  readonly learningRate: number;
  /** Multiplies the learning rate by `lengthFactor` of the answers: only the default rate is for short answers. */
  readonly scaleRateByLength: boolean;
  /** Multiplies the learning rate by the number of trained trajectories to this power. */
  readonly trajectoriesPower: number;
  /** Multiplies the learning rate by the mean standard deviation of the rewards of a group. */
  readonly scaleRateByRewardStdDev: boolean;
  readonly allowWithoutLogprobs: boolean;
  /** Treats the starting weights as the policy that was sampled from, instead of the logged log probabilities. */
  readonly precalculateLogprobs: boolean;
  /** The largest π_start/π_logged that corrects precalculated log probabilities; undefined for no correction. */
  readonly correction: number | undefined;
  /** The reference, and the penalty for moving away from it. */
  readonly kl: KlSettings;
}

export interface KlSettings {
  /** 0 for no penalty: then the distance to the reference is only measured. */
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
 * | `learning_rate` | 10 for answers of up to 10 tokens; for longer ones as many as they have, at most 15; halved where a step makes the objective worse |
 * | `num_trajectories_learning_rate_multiplier_power`, `scale_learning_rate_by_reward_std_dev` | 0, false |
 * | `allow_training_without_logprobs`, `precalculate_logprobs` | false, false |
 *
 * `logprob_calculation_chunk_size`, `packed_sequence_length` and `plot_tensors` only save memory or draw, so they have
 * no effect. `kl_ref_adapter_path` names a file of another kind of model and is refused. Fields of other names are
 * ignored.
 *
 * @throws TrainingFailure if a value is invalid, or two contradict each other
 */
export function readRlSettings(value: unknown): RlSettings {
  // The contract forbids it too, without a sentence of its own.
  const { kl_penalty_reference_step: step, kl_penalty_step_lag: lag } = Object(value);
  if (Number.isInteger(step) && Number.isInteger(lag)) {
    throw new TrainingFailure(
      "experimental_config names two reference policies: kl_penalty_reference_step and kl_penalty_step_lag. Leave one of them out.",
    );
  }
  const config = valid("experimental_config", value ?? {}, isExperimentalTrainingConfig);
  const lossFn = lossFnOf(config);
  const epsilon = config.epsilon ?? (lossFn === "ppo" ? 0.2 : 1);
  const isGiven = typeof config.epsilon === "number";
  const truncation = config.truncated_importance_sampling;
  const precalculateLogprobs = config.precalculate_logprobs ?? false;
  return {
    lossFn,
    epsilon,
    epsilonHigh: config.epsilon_high ?? (lossFn === "ppo" || isGiven ? epsilon : 4),
    importanceSamplingLevel: config.importance_sampling_level ?? "token",
    maxNegativeWeight: config.max_negative_advantage_importance_sampling_weight ?? Infinity,
    truncation: precalculateLogprobs ? Infinity : (truncation ?? Infinity),
    correction: precalculateLogprobs ? (truncation ?? undefined) : undefined,
    maskRatios: config.mask_prob_ratio ?? false,
    tau: config.kimi_k2_tau ?? 0,
    scaleRewards: config.scale_rewards ?? true,
    normalizeAdvantages: config.normalize_advantages ?? false,
    advantageBalance: config.advantage_balance ?? 0,
    learningRate: config.learning_rate ?? defaultLearningRate,
    scaleRateByLength: typeof config.learning_rate !== "number",
    trajectoriesPower: config.num_trajectories_learning_rate_multiplier_power ?? 0,
    scaleRateByRewardStdDev: config.scale_learning_rate_by_reward_std_dev ?? false,
    allowWithoutLogprobs: config.allow_training_without_logprobs ?? false,
    precalculateLogprobs,
    kl: klOf(config),
  };
}

function lossFnOf({ loss_fn: lossFn, ppo }: ExperimentalTrainingConfig): "cispo" | "ppo" {
  const other = ppo === true ? "ppo" : "cispo";
  if (typeof lossFn === "string" && typeof ppo === "boolean" && lossFn !== other) {
    throw new TrainingFailure(
      `experimental_config.ppo is ${ppo}, and loss_fn is "${lossFn}". Leave one of them out: loss_fn alone says it.`,
    );
  }
  return lossFn ?? other;
}

function klOf(config: ExperimentalTrainingConfig): KlSettings {
  if (typeof config.kl_ref_adapter_path === "string") {
    throw new TrainingFailure(
      "experimental_config.kl_ref_adapter_path names a file, and this model has no adapters. Name one of its own steps with kl_penalty_reference_step.",
    );
  }
  const { kl_penalty_reference_step: step, kl_penalty_step_lag: lag } = config;
  const reference = typeof lag === "number" ? { lag } : { step: step ?? 0 };
  return { coefficient: config.kl_penalty_coef ?? 0, source: config.kl_penalty_source ?? "current_learner", reference };
}

/** A setting as the record of a job has it. */
export interface EffectiveSetting {
  readonly value: unknown;
  /** `derived` from other settings, or from the data. */
  readonly origin: "sent" | "default" | "derived";
}

/**
 * Every setting that has an effect, with its value.
 *
 * @param value `experimental_config` as it was sent
 * @param rate the learning rate after scaling
 */
export function effectiveRl(value: unknown, settings: RlSettings, rate: number): Record<string, EffectiveSetting> {
  const sent: Record<string, unknown> = Object(value);
  const { kl, correction, truncation } = settings;
  const bound = (weight: number) => (weight === Infinity ? null : weight);
  const used = {
    loss_fn: settings.lossFn,
    epsilon: settings.epsilon,
    epsilon_high: settings.epsilonHigh,
    importance_sampling_level: settings.importanceSamplingLevel,
    max_negative_advantage_importance_sampling_weight: bound(settings.maxNegativeWeight),
    truncated_importance_sampling: correction ?? bound(truncation),
    mask_prob_ratio: settings.maskRatios,
    kimi_k2_tau: settings.tau,
    scale_rewards: settings.scaleRewards,
    normalize_advantages: settings.normalizeAdvantages,
    advantage_balance: settings.advantageBalance,
    kl_penalty_coef: kl.coefficient,
    kl_penalty_source: kl.source,
    kl_penalty_reference_step: "step" in kl.reference ? kl.reference.step : null,
    kl_penalty_step_lag: "lag" in kl.reference ? kl.reference.lag : null,
    learning_rate: settings.learningRate,
    num_trajectories_learning_rate_multiplier_power: settings.trajectoriesPower,
    scale_learning_rate_by_reward_std_dev: settings.scaleRateByRewardStdDev,
    allow_training_without_logprobs: settings.allowWithoutLogprobs,
    precalculate_logprobs: settings.precalculateLogprobs,
  };
  const derived = new Set<unknown>([
    typeof sent["ppo"] === "boolean" && "loss_fn",
    (settings.lossFn === "ppo" || typeof sent["epsilon"] === "number") && "epsilon_high",
  ]);
  const originOf = (name: string) => (sent[name] != null ? "sent" : derived.has(name) ? "derived" : "default");
  const all = Object.entries(used).map(([name, one]) => [name, { value: one, origin: originOf(name) }]);
  return { ...Object.fromEntries(all), learning_rate_after_scaling: { value: rate, origin: "derived" } };
}
