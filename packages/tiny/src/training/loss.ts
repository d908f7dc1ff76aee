import { importanceRatios, sequenceLogRatios, type ImportanceLevel, type SequenceStarts } from "./ratio.ts";

/** The settings of a policy optimization step. */
export interface LossSettings {
  readonly lossFn: "cispo" | "ppo";
  /** How far a ratio may fall below 1. */
  readonly epsilon: number;
  /** How far a ratio may rise above 1. */
  readonly epsilonHigh: number;
  readonly importanceSamplingLevel: ImportanceLevel;
  /** The largest ratio of a token with a negative advantage; infinite for none. */
  readonly maxNegativeWeight: number;
  /** The largest ratio of any token; infinite for none. */
  readonly truncation: number;
  /** Leaves out the tokens whose ratio is out of bounds, rather than clipping it. */
  readonly maskRatios: boolean;
  /** The weight of the pull toward the policy that was sampled from. */
  readonly tau: number;
}

/** The sampled tokens of a batch. */
export interface LossInput {
  /** The log probability of each token under the policy that is trained. */
  readonly logprobs: Float64Array;
  /** The same under the policy that the tokens were sampled from. */
  readonly oldLogprobs: Float64Array;
  /** The advantage of each token's trajectory. */
  readonly advantages: Float64Array;
  /** A constant factor of each token's loss. */
  readonly weights: Float64Array;
  readonly starts: SequenceStarts;
  /**
   * How many tokens the mean is taken over: these, and those of groups without a training signal. A job with few groups
   * left to learn from therefore takes a smaller step than one that learns from all.
   */
  readonly total: number;
}

export interface PolicyLoss {
  /** The sum over the tokens, by `total`. */
  readonly loss: number;
  /** The same with −clip(ρ)·A, which the step is meant to lower: the loss of CISPO has its gradient, but not its value. */
  readonly surrogate: number;
  /** The derivative of the loss by each token's log probability: the gradient is Σ slope(t) · ∇ log π(t). */
  readonly slopes: Float64Array;
  /** The share of tokens whose ratio was clipped, cut off or masked, 0 to 1. */
  readonly clipFraction: number;
}

/**
 * The loss of a batch, as a mean over tokens, and its derivative. With the ratio ρ of `importanceRatios`, bounded
 * to [1 − ε, 1 + ε_high] by `clip`:
 *
 *     ppo    −min(ρ·A, clip(ρ)·A)            the clipped surrogate (Schulman et al. 2017, arXiv:1707.06347):
 *                                            out of bounds, on the side that A rewards, a token pulls no more
 *     cispo  −sg[clip(ρ)]·A·log π(t)         the clipped importance weight (MiniMax-M1, 2025, arXiv:2506.13585):
 *                                            every token pulls, and `sg` takes the weight for a constant
 *
 * Before that, ρ is cut off at `truncation`, and at `maxNegativeWeight` where A < 0; from there on it no longer depends
 * on the policy. With `maskRatios` a token whose ρ is out of bounds counts 0.
 *
 * `tau` pulls back to the policy that was sampled from: A − τ·sg[Σ log π/π_old over the sequence] takes the place of A.
 * Where ρ is 1 that is, up to the factor 2τ, the gradient of Kimi's squared loss (r − mean(r) − τ·log π/π_old)² (Kimi
 * K2, 2025, arXiv:2507.20534).
 */
export function policyLoss(input: LossInput, settings: LossSettings): PolicyLoss {
  const { logprobs, oldLogprobs, starts, weights } = input;
  const { epsilon, epsilonHigh, tau } = settings;
  const ratios = importanceRatios(logprobs, oldLogprobs, starts, settings.importanceSamplingLevel);
  const pull = tau === 0 ? undefined : sequenceLogRatios(logprobs, oldLogprobs, starts, "sum");
  const count = logprobs.length;
  const slopes = new Float64Array(count);
  let total = 0;
  let surrogate = 0;
  let clipped = 0;
  for (let token = 0; token < count; token++) {
    const advantage = (input.advantages[token] ?? 0) - tau * (pull?.[token] ?? 0);
    const raw = ratios[token] ?? 1;
    const isOut = raw < 1 - epsilon || raw > 1 + epsilonHigh;
    if (settings.maskRatios && isOut) {
      clipped++;
      continue;
    }
    const cap = advantage < 0 ? Math.min(settings.truncation, settings.maxNegativeWeight) : settings.truncation;
    const ratio = Math.min(raw, cap);
    const bounded = Math.max(1 - epsilon, Math.min(1 + epsilonHigh, ratio));
    const weight = (weights[token] ?? 1) / input.total;
    surrogate -= weight * bounded * advantage;
    if (settings.lossFn === "cispo") {
      total -= weight * bounded * advantage * (logprobs[token] ?? 0);
      slopes[token] = -weight * bounded * advantage;
      if (bounded !== raw) clipped++;
    } else {
      const isFree = ratio === raw && ratio * advantage <= bounded * advantage;
      total -= weight * Math.min(ratio * advantage, bounded * advantage);
      slopes[token] = isFree ? -weight * ratio * advantage : 0;
      if (!isFree) clipped++;
    }
  }
  return { loss: total, surrogate, slopes, clipFraction: count === 0 ? 0 : clipped / count };
}
