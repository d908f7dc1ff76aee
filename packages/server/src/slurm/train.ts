import { isObject } from "@trainyard/core/validation";
import type { CancelTrainerJob, TrainerJob } from "../jobs/protocol.ts";
import { Follower } from "./follower.ts";
import { SlurmJob } from "./slurm-job.ts";
import { becomeSoleFollower } from "./sole-follower.ts";
import { WorkFolder } from "./work-folder.ts";

/** The input and output of a trainer. */
export interface Streams {
  /** The document on standard input. */
  readonly input: string;
  readonly out: (line: string) => Promise<void>;
  readonly err: (text: string | Buffer) => Promise<void>;
  /** Aborted when the server closes and the job is to continue. */
  readonly leave: AbortSignal;
  /** Aborted when the job is to end. */
  readonly stop: AbortSignal;
}

/**
 * A trainer that runs its jobs on a Slurm cluster: it submits the program once for each job, and follows it there.
 *
 * @param options options of sbatch
 * @param program the program that trains, with its arguments: an ordinary trainer, which runs on the cluster
 * @throws Error if the document is not for a trainer that is resumed
 */
export async function trainBySlurm(
  options: readonly string[],
  program: readonly string[],
  { input, out, err, leave, stop }: Streams,
): Promise<void> {
  const document: TrainerJob | CancelTrainerJob = JSON.parse(input);
  const jobId = document.job.id;
  const directory = "cancel" in document ? document.cancel.directory : document.resume?.directory;
  if (directory === undefined) {
    throw new Error("A Slurm job continues without the server, so start the server with --trainer-resume.");
  }
  const folder = new WorkFolder(directory);
  const job = new SlurmJob(folder, jobId, (sentence) => void err(`${sentence}\n`));
  const giveFree = await becomeSoleFollower(jobId);
  let isOver = false;
  try {
    if ("trajectory_groups" in document || "training_data" in document) {
      folder.prepare(input);
      const received = document.resume?.events ?? 0;
      const either = AbortSignal.any([leave, stop]);
      const failure = await work(received, either).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
      if (failure !== undefined && !either.aborted) {
        await out(JSON.stringify({ type: "training_failed", data: { error_message: failure } }));
      }
      if (leave.aborted) return;
    }
    if (stop.aborted || "cancel" in document) await job.end();
    isOver = true;
  } finally {
    giveFree(isOver);
  }

  /** Resolves at the end of the work, with the reason if it failed, or when it is to be left. */
  async function work(received: number, left: AbortSignal): Promise<string | undefined> {
    const id = await job.submitOnce({ jobId, directory: directory ?? "", options, program }, () => !left.aborted);
    if (id === undefined) return undefined;
    let last: string | undefined;
    const event = async (line: string) => {
      // Held back until the program has succeeded, so that no later failure contradicts it.
      if (last !== undefined) await out(last);
      last = endsTraining(line) ? line : undefined;
      if (last === undefined) await out(line);
    };
    const end = await new Follower(id, folder, { skip: received, listener: { event, log: err } }).follow(left);
    if (end !== undefined && end.failure === undefined && last !== undefined) await out(last);
    return end?.failure;
  }
}

function endsTraining(line: string): boolean {
  if (!line.includes("training_ended")) return false;
  try {
    const event: unknown = JSON.parse(line);
    return isObject(event) && event["type"] === "training_ended";
  } catch {
    return false;
  }
}
