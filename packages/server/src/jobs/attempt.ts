import { isObject, type Fault } from "@trainyard/core/validation";
import type { CreateRlTrainingJobRequest, CreateSftTrainingJobRequest } from "@trainyard/training";
import { plainArtifact } from "../artifact-scheme.ts";
import type { Attempt } from "../store/commands/job-attempts.ts";
import type { Store } from "../store/store.ts";
import type { AttemptPlaces, CheckpointFolders } from "./folders.ts";
import type { Trainer, TrainerJob, TrainerLine } from "./protocol.ts";
import { TrainerLog, type TrainerLogLine } from "./trainer-log.ts";
import { fetchTrainingData } from "./training-data.ts";

/** What an attempt works with. */
export interface AttemptParts {
  readonly store: Store;
  readonly folders: CheckpointFolders;
  readonly trainer: Trainer | undefined;
  /** Is told of each line that a trainer writes to its standard error. */
  readonly trainerLog: (line: TrainerLogLine) => void;
  /** Judges an event by the contract. */
  readonly judge: (event: object) => Fault[];
}

/**
 * Does a job once, from the trainer's first event to the new checkpoint.
 *
 * @throws Error whose message is why the job failed
 */
export async function perform(attempt: Attempt, parts: AttemptParts, signal: AbortSignal): Promise<void> {
  const { store, folders, trainer } = parts;
  const { jobId, model, nextStep } = attempt;
  if (trainer === undefined) {
    throw new Error(
      "This server has no trainer. Give it one with `--trainer <program>`, or `trainer` of createServer.",
    );
  }
  const places = await folders.open(attempt);
  try {
    const job = await trainerJob(attempt, places, parts, signal);
    if ("trajectory_groups" in job && job.trajectory_groups.length === 0) {
      throw new Error("There are no trajectory groups to train on.");
    }
    const ended = await withLog(attempt, parts, (log) => follow(trainer.run(job, signal, log), attempt, parts));
    await folders.keep(attempt, model, nextStep);
    if (!(await store.call("jobs.complete", { jobId, attempt: attempt.attempt, data: ended }))) {
      await folders.deleteSteps(model.id, [nextStep]);
    }
  } finally {
    await folders.discard(attempt);
  }
}

/** Keeps a trainer's log while it works. A failure says where the log is, if there is one. */
async function withLog<T>(
  attempt: Attempt,
  { folders, trainerLog }: AttemptParts,
  work: (log: (text: string) => void) => Promise<T>,
): Promise<T> {
  const log = new TrainerLog(folders.logOf(attempt, attempt.model.id), attempt, trainerLog);
  try {
    return await work((text) => log.write(text));
  } catch (error) {
    if (!(error instanceof Error) || !log.isWritten) throw error;
    throw new Error(`${error.message} (log: ${log.file})`, { cause: error });
  } finally {
    await log.end();
  }
}

/** The job as its program reads it: of the request, what the contract knows and nothing that could pass for ours. */
async function trainerJob(
  { jobId, kind, attempt, model, step, nextStep, request }: Attempt,
  { output, dataFile: file }: AttemptPlaces,
  { store, folders }: AttemptParts,
  signal: AbortSignal,
): Promise<TrainerJob> {
  const { run_id: _run, ...names } = model;
  const common = {
    model: names,
    checkpoint: { step, directory: folders.of(model.id, step) },
    output: { step: nextStep, directory: output },
  };
  // Read without a check: the document judged the request when the job was created.
  if (kind === "rl") {
    const { trajectory_groups, experimental_config: more }: CreateRlTrainingJobRequest = JSON.parse(request);
    const experiment = more !== undefined && { experimental_config: more };
    return { job: { id: jobId, kind, attempt }, ...common, trajectory_groups, ...experiment };
  }
  const asked: CreateSftTrainingJobRequest = JSON.parse(request);
  const { training_data_url, config, experimental_config: more } = asked;
  const url = plainArtifact(training_data_url);
  await fetchTrainingData({ url, file, entity: model.entity, signal }, store);
  return {
    job: { id: jobId, kind, attempt },
    ...common,
    training_data: { url, file },
    ...(config !== undefined && { config }),
    ...(more !== undefined && { experimental_config: more }),
  };
}

/** Keeps the events of a program. Gives the data of the last one, `training_ended`. */
async function follow(
  events: AsyncIterable<TrainerLine>,
  { jobId, attempt }: Attempt,
  parts: AttemptParts,
): Promise<unknown> {
  let started = false;
  let ended: { data: unknown } | undefined;
  for await (const { type, data } of events) {
    if (ended !== undefined) throw new Error(`The trainer wrote ${type} after training_ended.`);
    const [fault] = parts.judge({ id: crypto.randomUUID(), type, data });
    if (fault !== undefined)
      throw new Error(`The trainer wrote a wrong event ${type}: ${fault.loc.join(".")}: ${fault.msg}`);
    if (type === "training_failed") {
      throw new Error(isObject(data) ? String(data["error_message"]) : "The trainer gave no reason.");
    }
    if (!started && type !== "training_started") throw new Error(`The trainer wrote ${type} before training_started.`);
    started = true;
    if (type === "training_ended") ended = { data };
    else if (!(await parts.store.call("events.add", { jobId, attempt, type, data }))) {
      throw new Error("The attempt is over.");
    }
  }
  if (ended === undefined) throw new Error("The trainer ended without an event training_ended or training_failed.");
  return ended.data;
}
