/** The level of the importance ratios. */
export type ImportanceLevel = "token" | "sequence" | "average" | "geometric_average";

/** Where sequences begin in an array of tokens: sequence `i` is `starts[i]` to `starts[i + 1]`. */
export type SequenceStarts = ArrayLike<number>;

/**
 * A log ratio beyond this, in nats, is a token that one of the two policies never samples; e^20 is far outside any
 * clip.
 */
const largest = 20;

/**
 * The importance ratio of each token: its probability under the policy, divided by that under the policy that was
 * sampled from.
 *
 *     token              ρ_t = π(t) / π_old(t)                                    (PPO, arXiv:1707.06347)
 *     sequence           s   = exp(mean over the sequence of log π(t)/π_old(t))   (GSPO, Zheng et al. 2025, arXiv:2507.18071)
 *     average            (ρ_t + s) / 2
 *     geometric_average  √(ρ_t · s)
 *
 * A sequence is everything that was sampled in one conversation. At every level, the derivative of a ratio is taken
 * with respect to the token's own log probability, as in GSPO-token: dρ/d log π(t) = ρ.
 */
export function importanceRatios(
  logprobs: Float64Array,
  oldLogprobs: Float64Array,
  starts: SequenceStarts,
  level: ImportanceLevel,
): Float64Array {
  const ratios = logprobs.map((logprob, token) => Math.exp(logRatio(logprob, oldLogprobs[token])));
  if (level === "token") return ratios;
  const means = sequenceLogRatios(logprobs, oldLogprobs, starts, "mean");
  return ratios.map((ratio, token) => {
    const ofSequence = Math.exp(means[token] ?? 0);
    if (level === "sequence") return ofSequence;
    return level === "average" ? (ratio + ofSequence) / 2 : Math.sqrt(ratio * ofSequence);
  });
}

/** The sum or mean, over the sequence of each token, of log π(t)/π_old(t). */
export function sequenceLogRatios(
  logprobs: Float64Array,
  oldLogprobs: Float64Array,
  starts: SequenceStarts,
  reduce: "sum" | "mean",
): Float64Array {
  const result = new Float64Array(logprobs.length);
  for (let sequence = 0; sequence + 1 < starts.length; sequence++) {
    const from = starts[sequence] ?? 0;
    const to = starts[sequence + 1] ?? 0;
    let sum = 0;
    for (let token = from; token < to; token++) sum += logRatio(logprobs[token], oldLogprobs[token]);
    result.fill(reduce === "sum" ? sum : sum / (to - from), from, to);
  }
  return result;
}

function logRatio(logprob = 0, oldLogprob = 0): number {
  return Math.max(-largest, Math.min(largest, logprob - oldLogprob));
}
