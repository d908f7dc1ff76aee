import { mean } from "./advantage.ts";

/**
 * An estimate of KL(π ‖ π_ref) in nats a token, from tokens that π said: the mean of k3 = (r − 1) − log r with
 * r = π_ref(t)/π(t), which is never negative and has little variance (Schulman, "Approximating KL Divergence", 2020).
 */
export function estimateKl(logprobs: Float64Array, referenceLogprobs: Float64Array): number {
  if (logprobs.length === 0) return 0;
  let sum = 0;
  for (const [token, logprob] of logprobs.entries()) {
    const log = Math.min((referenceLogprobs[token] ?? 0) - logprob, 20);
    sum += Math.expm1(log) - log;
  }
  return sum / logprobs.length;
}

/**
 * The advantages with the penalty for moving away from a reference policy:
 *
 *     A_t + β·(mean(d) − d_t)        d_t = log π(t) − log π_ref(t)
 *
 * d is treated as a constant. Since ∇KL(π ‖ π_ref) = E[d·∇ log π] over samples of π, this is the gradient of −β·KL, and
 * the mean (over the batch) only lowers its variance. A k3 loss as in GRPO (arXiv:2402.03300) has another gradient,
 * and could not compare the sample with the reference.
 */
export function penalizeKl(
  advantages: Float64Array,
  logprobs: Float64Array,
  referenceLogprobs: Float64Array,
  coefficient: number,
): Float64Array {
  const distances = logprobs.map((logprob, token) => logprob - (referenceLogprobs[token] ?? 0));
  const center = mean(distances);
  return advantages.map((advantage, token) => advantage + coefficient * (center - (distances[token] ?? 0)));
}
