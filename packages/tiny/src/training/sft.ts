import type { TinyModel } from "../model/tiny-model.ts";
import { mean } from "./advantage.ts";
import { batchOf, type Batch, type Sequence } from "./batch.ts";
import { Learner } from "./learner.ts";
import { Stopwatch, type Measurements } from "./measurements.ts";
import { automaticRate, ratesOf, type SftSettings } from "./sft-settings.ts";
import { inChunks } from "./steps.ts";

/** What supervised fine-tuning needs. */
export interface SftParts {
  /** The model whose weights are changed. */
  readonly model: TinyModel;
  readonly settings: SftSettings;
  readonly signal: AbortSignal;
}

/**
 * Trains on conversations by plain gradient descent on the mean of −log p(token) over the tokens of a batch, batch by
 * batch in the order of the data, one batch per rate. Yields the measurements of each step.
 *
 * @throws TrainingFailure if the list of rates does not match the data
 */
export async function* trainSft(sequences: readonly Sequence[], parts: SftParts): AsyncGenerator<Measurements> {
  const { settings, signal } = parts;
  const learner = new Learner(parts.model);
  const batches: { readonly positions: Batch; readonly tokens: number }[] = [];
  for (let from = 0; from < sequences.length; from += settings.batchSize) {
    const part = sequences.slice(from, from + settings.batchSize);
    batches.push({ positions: batchOf(part), tokens: part.reduce((sum, { tokens }) => sum + tokens.length, 0) });
  }
  const rates = ratesOf(settings, batches.length);
  const watch = new Stopwatch();
  for (const [step, rate] of rates.entries()) {
    const batch = batches[step % batches.length];
    if (batch === undefined) return;
    const { positions, tokens } = batch;
    const count = positions.tokens.length;
    const learningRate = rate ?? automaticRate(count, step / rates.length);
    const logprobs = new Float64Array(count);
    const entropies = new Float64Array(count);
    const slopes = new Float64Array(count).fill(-1 / count);
    await inChunks(count, signal, (from, to) => learner.score(positions, logprobs, entropies, from, to));
    await inChunks(count, signal, (from, to) => learner.learn(positions, slopes, from, to));
    const gradientNorm = learner.descend(learningRate);
    learner.reset();
    yield {
      loss: -mean(logprobs),
      entropy: mean(entropies),
      epoch: (step + 1) / batches.length,
      gradient_norm: gradientNorm,
      learning_rate: learningRate,
      num_sequences: positions.starts.length - 1,
      num_tokens: tokens,
      num_trainable_tokens: count,
      tokens_per_second: watch.rateOf(count),
    };
  }
}
