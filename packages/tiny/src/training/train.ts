import { writeCheckpoint } from "../checkpoint/checkpoint.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { batchOf } from "./batch.ts";
import { parseJob, type Job } from "./job.ts";
import type { Measurements } from "./measurements.ts";
import { JobModels, type BaseModels } from "./models.ts";
import { readRlData } from "./rl-data.ts";
import { effectiveRl, readRlSettings } from "./rl-settings.ts";
import { learningRateOf, measure, trainRl } from "./rl.ts";
import { readSftData } from "./sft-data.ts";
import { effectiveSft, readSftSettings } from "./sft-settings.ts";
import { trainSft } from "./sft.ts";
import { turn } from "./steps.ts";
import { TrainingFailure } from "./training-failure.ts";

/** What a training job needs. */
export interface TrainParts {
  readonly baseModels: BaseModels;
  /** Receives each event. */
  readonly emit: (type: string, data: object) => void;
  /** Receives each line of the log. */
  readonly note: (line: string) => void;
  /** Ends the job, unless its checkpoint is being written. */
  readonly signal: AbortSignal;
}

/**
 * Runs a training job: writes events, and a checkpoint to its output folder. An invalid job ends with the event
 * `training_failed`, without a checkpoint.
 *
 * @param text the job as JSON
 * @throws Error if the text is not a job, the signal ends it, or something fails that no other job could fix
 */
export async function train(text: string, parts: TrainParts): Promise<void> {
  const job = parseJob(text);
  try {
    await perform(job, parts);
  } catch (error) {
    if (!(error instanceof TrainingFailure)) throw error;
    parts.emit("training_failed", { error_message: error.message });
  }
}

async function perform(job: Job, parts: TrainParts): Promise<void> {
  const models = new JobModels(job, parts.baseModels);
  const model = await models.start();
  const steps = job.job.kind === "rl" ? reinforce(job, model, models, parts) : fineTune(job, model, parts);
  let next = await steps.next();
  for (; next.done !== true; next = await steps.next()) parts.emit("gradient_step", finite(next.value));
  await turn(parts.signal);
  if (!model.weights.every((weight) => Number.isFinite(weight))) throw ranAway("a weight is not a number any more");
  const { entity, project, name, base_model } = job.model;
  const about = { model: { entity, project, name }, step: job.output.step, base_model };
  await writeCheckpoint(job.output.directory, model, about);
  parts.emit("training_ended", { step: job.output.step, ...(next.value !== undefined && { message: next.value }) });
}

/** Yields the measurements of each step, and at the end the notes for people. */
type Steps = AsyncGenerator<Measurements, string | undefined>;

async function* reinforce(job: Job, model: TinyModel, models: JobModels, parts: TrainParts): Steps {
  const settings = readRlSettings(job.experimental_config);
  const data = readRlData(job.trajectory_groups, settings);
  const reference = await models.reference(settings.kl.reference);
  parts.emit("training_started", { num_sequences: data.positions.starts.length - 1 });
  parts.emit("settings", effectiveRl(job.experimental_config, settings, learningRateOf(data, settings)));
  for (const notice of data.notices) parts.note(notice);
  const rl = { model, reference, settings, signal: parts.signal };
  if (data.positions.tokens.length > 0) {
    yield* trainRl(data, rl);
    return undefined;
  }
  // A loop that has learned its task gets here at each step; failing would end it exactly when it succeeded.
  yield { ...data.measurements, ...(await measure(batchOf(data.sequences), rl)), loss: 0, learning_rate: 0 };
  return data.notices.join(" ");
}

async function* fineTune({ config, training_data: data }: Job, model: TinyModel, parts: TrainParts): Steps {
  const settings = readSftSettings(config);
  if (typeof data?.file !== "string") throw new TrainingFailure("The job has no training data.");
  const sequences = await readSftData(data.file, settings.assistantTurns, parts.signal);
  parts.emit("training_started", { num_sequences: sequences.length });
  parts.emit("settings", effectiveSft(config, settings));
  if (settings.wantsMetrics)
    parts.note("config.metric_logging has no effect: the events contain everything that is measured.");
  yield* trainSft(sequences, { model, settings, signal: parts.signal });
  return undefined;
}

/**
 * The contract accepts only numbers, and JSON has only finite ones.
 *
 * @throws TrainingFailure if training has diverged
 */
function finite(measurements: Measurements): Measurements {
  const wrong = Object.entries(measurements).find(([, value]) => !Number.isFinite(value));
  if (wrong !== undefined)
    throw ranAway(`${wrong[0]} is ${wrong[1]} at a learning_rate of ${measurements["learning_rate"]}`);
  return measurements;
}

function ranAway(how: string): TrainingFailure {
  return new TrainingFailure(`Training ran away: ${how}. Lower the learning_rate, or leave it out.`);
}
