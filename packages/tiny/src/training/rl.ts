import type { TinyModel } from "../model/tiny-model.ts";
import { mean } from "./advantage.ts";
import type { Batch } from "./batch.ts";
import { estimateKl, penalizeKl } from "./kl.ts";
import { Learner } from "./learner.ts";
import { policyLoss } from "./loss.ts";
import { Stopwatch, type Measurements } from "./measurements.ts";
import { Reference } from "./reference.ts";
import type { RlData } from "./rl-data.ts";
import type { RlSettings } from "./rl-settings.ts";
import { inChunks } from "./steps.ts";

/** What reinforcement learning needs. */
export interface RlParts {
  /** The model whose weights are changed. */
  readonly model: TinyModel;
  /** The reference of the penalty, to which the distance is measured. */
  readonly reference: TinyModel;
  readonly settings: RlSettings;
  readonly signal: AbortSignal;
}

/**
 * A job goes over all of its trajectories four times, with one gradient step each. The first step starts at the policy
 * that sampled them; the importance ratios correct the later ones. Four small steps go as far as a large one, and do
 * not overshoot.
 */
export const passes = 4;

/** How often a step at the default rate is halved. */
const mostHalvings = 5;

/**
 * A rise of the surrogate by less than this, times the mean |A|, is rounding: that of a mean is some 10⁻¹⁶, as where answers
 * differ in their rewards alone, while steps that went too far were seen to raise it by 6·10⁻⁵ and more.
 */
const leastRise = 1e-9;

/**
 * Trains on trajectories by plain gradient descent: w ← w − η·∇loss. Yields the measurements of each step.
 *
 * The default η is halved while a step makes the surrogate worse: after a step that goes too far, all prompts may get one
 * answer, and then no group has anything to learn.
 *
 * For a token without a logged log probability, the starting weights count as the policy that sampled it.
 */
export async function* trainRl(data: RlData, parts: RlParts): AsyncGenerator<Measurements> {
  const { settings, signal } = parts;
  const { positions } = data;
  const count = positions.tokens.length;
  const reference = new Reference(parts.reference, positions);
  const learner = new Learner(parts.model, reference);
  const logprobs = new Float64Array(count);
  const entropies = new Float64Array(count);
  const score = () => inChunks(count, signal, (from, to) => learner.score(positions, logprobs, entropies, from, to));
  const watch = new Stopwatch();
  await score();
  const isLogged = positions.logged.map((logprob) => (Number.isNaN(logprob) ? 0 : 1));
  const sampled = positions.logged.map((logprob, position) =>
    isLogged[position] === 1 ? logprob : (logprobs[position] ?? 0),
  );
  const old = settings.precalculateLogprobs ? logprobs.slice() : sampled;
  const { correction } = settings;
  // How the sampler's log probabilities differ from the trained policy's, truncated (truncated importance sampling).
  const weights = old.map((logprob, position) =>
    correction === undefined ? 1 : Math.min(correction, Math.exp(logprob - (sampled[position] ?? 0))),
  );
  const learningRate = learningRateOf(data, settings);
  // A rate that was sent is kept, and one that a penalty has divided.
  const halvings = settings.scaleRateByLength && settings.kl.coefficient === 0 ? mostHalvings : 0;
  const tolerance = leastRise * mean(data.advantages.map(Math.abs));
  for (let pass = 0; pass < passes; pass++) {
    const advantages =
      settings.kl.coefficient === 0
        ? data.advantages
        : penalizeKl(
            data.advantages,
            settings.kl.source === "sample" ? sampled : logprobs,
            reference.logprobs,
            settings.kl.coefficient,
          );
    const input = { logprobs, oldLogprobs: old, advantages, weights, starts: positions.starts, total: data.tokens };
    const { loss, slopes, clipFraction, surrogate } = policyLoss(input, settings);
    await inChunks(count, signal, (from, to) => learner.learn(positions, slopes, from, to));
    const measured = {
      entropy: mean(entropies),
      kl: estimateKl(sampled, logprobs),
      kl_reference: mean(reference.distances),
    };
    let rate = learningRate;
    const gradientNorm = learner.descend(rate);
    if (halvings > 0 || pass < passes - 1) await score();
    for (let at = 0; at < halvings && policyLoss(input, settings).surrogate > surrogate + tolerance; at++) {
      rate /= 2;
      learner.descend(-rate);
      await score();
    }
    learner.reset();
    yield {
      ...data.measurements,
      ...measured,
      loss,
      clip_fraction: clipFraction,
      gradient_norm: gradientNorm,
      learning_rate: rate,
      tokens_per_second: watch.rateOf(count),
    };
  }
}

/** What is measured of tokens that are not trained on, because no group has anything to compare. */
export async function measure(positions: Batch, parts: RlParts): Promise<Measurements> {
  const count = positions.tokens.length;
  const [logprobs, entropies] = [new Float64Array(count), new Float64Array(count)];
  const reference = new Reference(parts.reference, positions);
  const learner = new Learner(parts.model, reference);
  await inChunks(count, parts.signal, (from, to) => learner.score(positions, logprobs, entropies, from, to));
  const sampled = positions.logged.map((logprob, at) => (Number.isNaN(logprob) ? (logprobs[at] ?? 0) : logprob));
  return { entropy: mean(entropies), kl: estimateKl(sampled, logprobs), kl_reference: mean(reference.distances) };
}

/**
 * The pull of a penalty grows with the distance. If rate × coefficient is much above 5, a step goes past the reference and
 * farther away on its other side: measured with yes-no-maybe, it runs away from 10 on. The distances of the sample stay
 * the same in all steps of a job, which therefore go as far together.
 */
const strongestPull = { current_learner: 5, sample: 5 / passes };

/**
 * From this mean surprise on, in nats a token, the strongest pull falls; what the tiny model says itself is below it. Tokens
 * that a schema forces on it do not become rarer as their chance falls, and so pull more: with JSON of 9 nats a token and
 * the pull of other answers, a coefficient of 0.3 ran away.
 */
const leastForced = 1.8;

/**
 * The rate η of a job's steps: that of the settings, and with a penalty of coefficient β, η / (1 + η·β/p) with the strongest
 * pull p. For small η·β that is η. For large ones, η·β approaches p, and β alone weighs the distance against the reward.
 */
export function learningRateOf({ measurements, trajectories, positions }: RlData, settings: RlSettings): number {
  const spread = settings.scaleRateByRewardStdDev ? (measurements["reward_std_dev"] ?? 0) : 1;
  const scale = settings.scaleRateByLength ? lengthFactor(positions.tokens.length / (positions.starts.length - 1)) : 1;
  const rate = settings.learningRate * scale * trajectories ** settings.trajectoriesPower * spread;
  const { coefficient, source } = settings.kl ?? { coefficient: 0, source: "sample" };
  const surprise = -mean(positions.logged.filter((logprob) => !Number.isNaN(logprob)));
  const pull = strongestPull[source] / Math.max(1, surprise / leastForced);
  return rate / (1 + (rate * coefficient) / pull);
}

/**
 * What the default rate is multiplied by. The loss is a mean over tokens, so that each token of a long answer counts little:
 * a choice at the end of an object of 30 tokens would be learned several times as slowly as the same choice in one word.
 *
 * @param length the mean number of tokens of a conversation's choices
 */
function lengthFactor(length: number): number {
  return Math.max(1, Math.min(1.5, length / 10));
}
