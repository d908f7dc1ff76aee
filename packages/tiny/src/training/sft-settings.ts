import { isSftTrainingConfig } from "@trainyard/training/validators";
import { valid } from "./config.ts";
import type { EffectiveSetting } from "./rl-settings.ts";
import { TrainingFailure } from "./training-failure.ts";

/** The settings of supervised fine-tuning: SftTrainingConfig with its defaults. */
export interface SftSettings {
  /** How many conversations make up one gradient step. */
  readonly batchSize: number;
  /** One rate for all steps, or one for each of them; undefined for the trainer's default. */
  readonly learningRate: number | readonly number[] | undefined;
  readonly assistantTurns: "all" | "last";
  /** Whether the request asks for metrics at a step, which this trainer does not support. */
  readonly wantsMetrics: boolean;
}

/** The value of `batch_size: "auto"`. */
const automaticBatchSize = 4;

/**
 * About how many gradient steps a job takes by default: small data sets are repeated, large ones are used once.
 */
const enoughSteps = 120;

/**
 * Reads `config`. Null, or left out, means: `batch_size` "auto", which is 4; `learning_rate` that of
 * `automaticRate`; `assistant_turns` "all". `metric_logging` has no effect: the events contain everything that is measured.
 *
 * @throws TrainingFailure if a value is invalid
 */
export function readSftSettings(value: unknown): SftSettings {
  const config = valid("config", value ?? {}, isSftTrainingConfig);
  return {
    batchSize: typeof config.batch_size === "number" ? config.batch_size : automaticBatchSize,
    learningRate: config.learning_rate ?? undefined,
    assistantTurns: config.assistant_turns ?? "all",
    wantsMetrics: config.metric_logging?.enabled ?? false,
  };
}

/**
 * The rate of each gradient step, undefined where it is left to the trainer; and with it how many steps there are. A
 * list holds one rate for each batch of a pass over the data, or a whole multiple of that for several passes. Without a
 * list the data is gone over until there were about 120 steps, at least once.
 *
 * @param batches how many batches the data makes up
 * @throws TrainingFailure if the length of a list does not match the number of batches
 */
export function ratesOf({ learningRate, batchSize }: SftSettings, batches: number): readonly (number | undefined)[] {
  if (typeof learningRate !== "object") {
    return Array.from({ length: batches * Math.ceil(enoughSteps / batches) }, () => learningRate);
  }
  if (learningRate.length > 0 && learningRate.length % batches === 0) return learningRate;
  throw new TrainingFailure(
    `config.learning_rate has ${learningRate.length} rates, and the data makes up ${batches} batches of ${batchSize}. ` +
      `Give one rate for each batch, ${batches} for a single pass or a multiple of it for several, or one number for all.`,
  );
}

/**
 * The rate of a step where it is left to the trainer. The loss is a mean over tokens, and each of them moves only the
 * few rows that are active before it: 1 a token makes each of them take a step of 1. It is at most 75, because a larger
 * step throws about what many tokens share: the data is then known by heart, and the same question in other words is
 * not. It falls evenly to nothing, so that data that contradicts itself settles at its average.
 *
 * @param tokens of the batch
 * @param done which part of the job is done, from 0 to 1
 */
export function automaticRate(tokens: number, done: number): number {
  return Math.min(75, tokens) * (1 - done);
}

/** Every setting that has an effect, with its value. */
export function effectiveSft(value: unknown, settings: SftSettings): Record<string, EffectiveSetting> {
  const { batch_size: size, learning_rate: rate, assistant_turns: turns } = Object(value);
  const originOf = (sent: unknown) => (sent == null ? "default" : "sent");
  return {
    batch_size: { value: settings.batchSize, origin: size === "auto" ? "derived" : originOf(size) },
    learning_rate: { value: settings.learningRate ?? "at most 75, falling to 0", origin: originOf(rate) },
    assistant_turns: { value: settings.assistantTurns, origin: originOf(turns) },
  };
}
