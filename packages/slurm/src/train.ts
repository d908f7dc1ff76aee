import { text } from "node:stream/consumers";
import { isObject } from "@trainyard/core/validation";
import type { CancelTrainerJob, TrainerJob } from "@trainyard/server";
import { Follower } from "./follower.ts";
import { SlurmJob } from "./slurm-job.ts";
import { becomeSoleFollower } from "./sole-follower.ts";
import { WorkFolder } from "./work-folder.ts";

/**
 * A trainer that runs its jobs on a Slurm cluster: it reads a job from standard input, submits the program once for it, and
 * writes its events to standard output as it follows the program there.
 *
 * @param options options of sbatch
 * @param program the program that trains, with its arguments: an ordinary trainer, which runs on the cluster
 * @throws Error if the document is not for a trainer that is resumed
 */
export async function trainBySlurm(options: readonly string[], program: readonly string[]): Promise<void> {
  // The job continues when the server closes, and ends when the server no longer wants it.
  const [leave, stop] = [new AbortController(), new AbortController()];
  process.on("SIGHUP", () => leave.abort());
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort());
  const input = await text(process.stdin);
  const document: TrainerJob | CancelTrainerJob = JSON.parse(input);
  const directory = "cancel" in document ? document.cancel.directory : document.resume?.directory;
  if (directory === undefined) {
    throw new Error("A Slurm job continues without the server, so start the server with --trainer-resume.");
  }
  const folder = new WorkFolder(directory);
  const job = new SlurmJob(folder, document.job.id, (sentence) => void log(`${sentence}\n`));
  const holder = await becomeSoleFollower(document.job.id, () => leave.abort());
  try {
    if (!("cancel" in document)) {
      folder.prepare(input);
      const left = AbortSignal.any([leave.signal, stop.signal]);
      const failure = await work(document.resume?.events ?? 0, left).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
      if (failure !== undefined && !left.aborted) {
        await out(JSON.stringify({ type: "training_failed", data: { error_message: failure } }));
      }
      if (leave.signal.aborted) return;
    }
    if (stop.signal.aborted || "cancel" in document) await job.end();
  } finally {
    holder.close();
  }

  /** Resolves at the end of the work, with the reason if it failed, or when it is to be left. */
  async function work(received: number, left: AbortSignal): Promise<string | undefined> {
    const id = await job.submitOnce(options, program, left);
    if (id === undefined) return undefined;
    let last: string | undefined;
    const event = async (line: string) => {
      // Held back until the program has succeeded, so that no later failure contradicts it.
      if (last !== undefined) await out(last);
      last = endsTraining(line) ? line : undefined;
      if (last === undefined) await out(line);
    };
    const end = await new Follower(id, folder, received, { event, log }).follow(left);
    if (end === "left") return undefined;
    if (end.failure === undefined && last !== undefined) await out(last);
    return end.failure;
  }
}

const out = (line: string) => new Promise<void>((done) => process.stdout.write(`${line}\n`, () => done()));
const log = (part: string | Buffer) => new Promise<void>((done) => process.stderr.write(part, () => done()));

function endsTraining(line: string): boolean {
  if (!line.includes("training_ended")) return false;
  try {
    const event: unknown = JSON.parse(line);
    return isObject(event) && event["type"] === "training_ended";
  } catch {
    return false;
  }
}
