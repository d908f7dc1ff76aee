import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isObject, type Fault } from "@trainyard/core/validation";
import type { Attempt } from "../store/commands/job-attempts.ts";
import type { Store } from "../store/store.ts";
import type { CheckpointFolders } from "./folders.ts";
import { runTrainer, type TrainerEvent, type TrainerOptions } from "./trainer.ts";
import { fetchTrainingData } from "./training-data.ts";

/** What an attempt works with. */
export interface AttemptParts {
  readonly store: Store;
  readonly folders: CheckpointFolders;
  readonly trainer: TrainerOptions | undefined;
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
  const request: unknown = JSON.parse(attempt.request);
  if (!isObject(request)) throw new Error("The job has no request.");
  if (
    attempt.kind === "rl" &&
    Array.isArray(request["trajectory_groups"]) &&
    request["trajectory_groups"].length === 0
  ) {
    throw new Error("There are no trajectory groups to train on.");
  }
  if (trainer === undefined) {
    throw new Error(
      "This server has no trainer. Give it one with `--trainer <program>`, or `trainer` of createServer.",
    );
  }
  const folder = await folders.open(model.id, nextStep);
  try {
    const input = await jobInput(attempt, request, folder, parts, signal);
    const ended = await follow(runTrainer(trainer, input, signal), attempt, parts);
    await rm(dataFile(folder), { force: true });
    await folders.keep(model.id, nextStep);
    if (!(await store.call("jobs.complete", { jobId, attempt: attempt.attempt, data: ended }))) {
      await folders.deleteSteps(model.id, [nextStep]);
    }
  } finally {
    await folders.discard(model.id, nextStep);
  }
}

/** The job as its program reads it. */
async function jobInput(
  { jobId, kind, attempt, model, step, nextStep }: Attempt,
  request: Record<string, unknown>,
  folder: string,
  { store, folders }: AttemptParts,
  signal: AbortSignal,
): Promise<object> {
  const { model_id: _, training_data_url: url, ...rest } = request;
  const { run_id: _run, ...names } = model;
  const input = {
    job: { id: jobId, kind, attempt },
    model: names,
    checkpoint: { step, directory: folders.of(model.id, step) },
    output: { step: nextStep, directory: folder },
    ...rest,
  };
  if (typeof url !== "string") return input;
  const file = dataFile(folder);
  await fetchTrainingData({ url, file, entity: model.entity, signal }, store);
  return { ...input, training_data: { url, file } };
}

/** What is to be learned from; no part of the checkpoint. */
function dataFile(folder: string): string {
  return join(folder, "training-data.jsonl");
}

/** Keeps the events of a program. Gives the data of the last one, `training_ended`. */
async function follow(
  events: AsyncIterable<TrainerEvent>,
  { jobId, attempt }: Attempt,
  parts: AttemptParts,
): Promise<unknown> {
  let started = false;
  let ended: { data: unknown } | undefined;
  for await (const { type, data } of events) {
    if (ended !== undefined) throw new Error(`The trainer wrote ${type} after training_ended.`);
    const [fault] = parts.judge({ id: randomUUID(), type, data });
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
