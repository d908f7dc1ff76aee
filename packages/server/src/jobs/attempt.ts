import { isObject, type Fault } from "@trainyard/core/validation";
import { plainArtifact } from "../chat/model-name.ts";
import type { Attempt } from "../store/commands/job-attempts.ts";
import type { Store } from "../store/store.ts";
import type { AttemptFolders, CheckpointFolders } from "./folders.ts";
import { namesOf, type JobOfKind, type SftTrainerJob, type Trainer, type TrainerLine } from "./protocol.ts";
import { TrainerLog, withLastLine, type TrainerLogOptions } from "./trainer-log.ts";
import { fetchTrainingData } from "./training-data.ts";
import { untilStored } from "./until-stored.ts";

/** What an attempt needs. */
export interface AttemptParts {
  readonly store: Store;
  readonly folders: CheckpointFolders;
  readonly trainer: Trainer | undefined;
  readonly trainerLog: TrainerLogOptions;
  /** Validates an event by the contract. */
  readonly judge: (event: object) => Fault[];
}

/** The failure of every job on a server without a trainer. */
const noTrainer: string =
  "This server has no trainer. Set one with `--trainer <program>`, or with `trainer` of createServer.";

/**
 * Runs one attempt at a job, from the trainer's first event to the new checkpoint.
 *
 * @param ended receives the exit code of the trainer, or the signal that ended it
 * @throws Error whose message is why the job failed
 */
export async function perform(
  attempt: Attempt,
  parts: AttemptParts,
  signal: AbortSignal,
  ended: (code: number | string) => void,
): Promise<void> {
  const { store, folders, trainer } = parts;
  const { jobId, model, nextStep } = attempt;
  if (trainer === undefined) throw new Error(noTrainer);
  const paths = await folders.open(attempt, model.id, nextStep);
  const input = await trainerJob(attempt, paths, parts, signal);
  let exit: number | string = 0;
  const data = await withLog(attempt, parts, (log) => {
    const lines = trainer.run({ input, signal, log, ended: (code) => ended((exit = code)) });
    return follow(lines, attempt, parts, { log, signal, hasFailed: () => exit !== 0 });
  });
  await folders.keep(attempt, model, nextStep);
  const complete = () => store.call("jobs.complete", { jobId, attempt: attempt.attempt, data });
  if (!(await untilStored(complete, () => signal.aborted))) {
    await folders.deleteSteps(model.id, [nextStep]);
  }
}

/** Keeps a trainer's log while it works. If the trainer fails, the error names the log, if there is one. */
async function withLog<T>(
  attempt: Attempt,
  { folders, trainerLog }: AttemptParts,
  work: (log: TrainerLog) => Promise<T>,
): Promise<T> {
  const log = new TrainerLog(folders.logOf(attempt, attempt.model.id), attempt, trainerLog);
  try {
    return await work(log);
  } catch (error) {
    if (!(error instanceof Error) || !(await log.isWritten())) throw error;
    throw new Error(`${error.message} (log: ${log.file})`, { cause: error });
  } finally {
    await log.end();
  }
}

/**
 * The job as its program reads it: a `TrainerJob` in JSON. Of the request, it contains only fields of the contract, so
 * that none can pass for one of the server's.
 */
async function trainerJob(
  { jobId, kind, attempt, model, step, nextStep, received }: Attempt,
  { folder, output, dataFile: file }: AttemptFolders,
  { store, folders, trainer }: AttemptParts,
  signal: AbortSignal,
): Promise<string> {
  const { members, fault, dataUrl } = await store.read("jobs.request", { jobId });
  if (fault !== undefined) throw new Error(fault);
  const url = dataUrl && plainArtifact(dataUrl);
  if (url !== undefined) await fetchTrainingData({ url, file, entity: model.entity, signal }, store);
  const ours: JobOfKind<typeof kind> & Partial<Pick<SftTrainerJob, "training_data">> = {
    job: { id: jobId, kind, attempt },
    model: namesOf(model),
    checkpoint: { step, directory: folders.of(model.id, step) },
    output: { step: nextStep, directory: output },
    ...(trainer?.resume === true && { resume: { directory: folder, events: received } }),
    ...(url !== undefined && { training_data: { url, file } }),
  };
  const text = JSON.stringify(ours);
  return members === "" ? text : `${text.slice(0, -1)},${members}}`;
}

/** Stores the events of a program. Returns the data of the last one, `training_ended`. */
async function follow(
  parts: AsyncIterable<readonly TrainerLine[]>,
  { jobId, attempt, received }: Attempt,
  { judge, store }: AttemptParts,
  { log, signal, hasFailed }: { log: TrainerLog; signal: AbortSignal; hasFailed: () => boolean },
): Promise<unknown> {
  let place = received;
  let ended: TrainerLine | undefined;
  for await (const lines of parts) {
    const events: TrainerLine[] = [];
    let fault: string | undefined;
    for (const line of lines) {
      fault = faultOf(line, { judge, ended, isFirst: place + events.length === 0 });
      if (fault !== undefined) break;
      if (line.type === "training_ended") ended = line;
      else events.push(line);
    }
    const add = () => store.call("events.add", { jobId, attempt, place, events });
    try {
      if (events.length > 0 && !(await untilStored(add, () => signal.aborted || hasFailed())))
        throw new Error("The attempt is over.");
    } catch (error) {
      if (signal.aborted || !hasFailed()) throw error;
      // Its files may be what fills the disk, and are deleted once it is known why it failed: the next part says that.
      continue;
    }
    if (fault !== undefined) throw new Error(fault);
    place += events.length;
  }
  if (ended === undefined) {
    throw new Error(withLastLine("The trainer ended without an event training_ended or training_failed", log));
  }
  return ended.data;
}

/** Why an event fails the job: its form, its place, or its own words. */
function faultOf(
  { type, data }: TrainerLine,
  { judge, ended, isFirst }: Pick<AttemptParts, "judge"> & { ended: TrainerLine | undefined; isFirst: boolean },
): string | undefined {
  if (ended !== undefined) return `The trainer wrote ${type} after training_ended.`;
  if (type === "settings" && !isSettings(data))
    return 'The trainer wrote invalid settings. Each is {"value": …, "origin": "sent" | "default" | "derived"}.';
  const [fault] = type === "settings" ? [] : judge({ id: crypto.randomUUID(), type, data });
  if (fault !== undefined) return `The trainer wrote an invalid event ${type}: ${fault.loc.join(".")}: ${fault.msg}`;
  if (type === "training_failed") return isObject(data) ? String(data["error_message"]) : "The trainer gave no reason.";
  if (isFirst && type !== "training_started") return `The trainer wrote ${type} before training_started.`;
  return undefined;
}

function isSettings(data: unknown): boolean {
  const origins = new Set<unknown>(["sent", "default", "derived"]);
  return (
    isObject(data) && Object.values(data).every((one) => isObject(one) && "value" in one && origins.has(one["origin"]))
  );
}
