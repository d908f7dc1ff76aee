import { text } from "node:stream/consumers";
import { isObject } from "@trainyard/core/validation";
import type { CancelTrainerJob, TrainerJob } from "@trainyard/server";
import { Follower } from "./follower.ts";
import { KeptAllocations } from "./kept-allocations.ts";
import { SlurmJob } from "./slurm-job.ts";
import { becomeSoleFollower } from "./sole-follower.ts";
import { WorkFolder } from "./work-folder.ts";

/** Our own options. */
interface Settings {
  /** How often a job is submitted again that was preempted or lost its node. */
  readonly resubmit: number;
  /** How many seconds the allocation of a job waits for the next job; 0 for not at all. */
  readonly keep: number;
  /** What is invalid of them, as sentences. */
  readonly faults: readonly string[];
}

/**
 * A trainer that runs its jobs on a Slurm cluster: it reads a job from standard input, submits the program for it, and writes
 * its events to standard output as it follows the program there.
 *
 * @param options options of sbatch
 * @param program the program that trains, with its arguments: an ordinary trainer, which runs on the cluster
 * @param settings our own options
 * @throws Error if the document is not for a trainer that is resumed, or an option is invalid
 */
export async function trainBySlurm(
  options: readonly string[],
  program: readonly string[],
  { resubmit, keep, faults }: Settings,
): Promise<void> {
  // The job continues when the server closes, and ends when the server no longer wants it.
  const [leave, stop] = [new AbortController(), new AbortController()];
  process.on("SIGHUP", () => leave.abort());
  // A pipe that broke means that the server was killed, and `startCommand` reports it as SIGTERM.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, (name) => (name === "SIGPIPE" ? leave : stop).abort());
  const input = await text(process.stdin);
  if (input === "")
    throw new Error("Standard input has no job. Pass this command to trainyard serve, as its --trainer.");
  const document: TrainerJob | CancelTrainerJob = JSON.parse(input);
  const directory = "cancel" in document ? document.cancel.directory : document.resume?.directory;
  if (directory === undefined) {
    throw new Error("A Slurm job continues without the server, so start the server with --trainer-resume.");
  }
  // What was not submitted for its options can be canceled all the same.
  if (faults.length > 0 && !("cancel" in document)) throw new Error(faults.join(" "));
  const holder = await becomeSoleFollower(document.job.id, () => leave.abort());
  // Only now, because another follower may just have submitted the job again.
  const folder = new WorkFolder(directory);
  const kept = keep > 0 ? new KeptAllocations(keep, options, folder) : undefined;
  const job = new SlurmJob(folder, document.job.id, (sentence) => void log(`${sentence}\n`), kept);
  try {
    if (!("cancel" in document)) {
      const left = AbortSignal.any([leave.signal, stop.signal]);
      const failure = await work(document, left).catch((error: unknown) =>
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
  async function work(trainerJob: TrainerJob, left: AbortSignal): Promise<string | undefined> {
    folder.prepare(input, trainerJob);
    let said = (id: string) => `submitted to the cluster (Slurm job ${id})`;
    for (let events = trainerJob.resume?.events ?? 0; ;) {
      const id = await job.submitOnce(options, program, said, left);
      if (id === undefined) return undefined;
      let skip = events - folder.base;
      // A program that goes on may report its start again.
      let hasStarted = folder.base > 0;
      let last: string | undefined;
      const event = async (line: string) => {
        const type = typeOf(line);
        if (type === "training_started" && hasStarted) return false;
        hasStarted ||= type === "training_started";
        if (skip-- > 0) return false;
        // Held back until the program has succeeded, so that no later failure contradicts it.
        if (last !== undefined) await pass(last);
        last = type === "training_ended" ? line : undefined;
        if (last === undefined) await pass(line);
        return last !== undefined;
      };
      const pass = async (line: string) => {
        await out(line);
        events++;
      };
      const end = await new Follower(id, folder, { event, log }, kept !== undefined).follow(left);
      if (end === "left") return undefined;
      if (end === undefined) {
        if (last !== undefined) await out(last);
        return undefined;
      }
      const { lost, how, details } = end;
      if (lost === undefined) return [how, details].filter(Boolean).join(" ");
      if (folder.submission > resubmit) return `${how} It was submitted ${times(folder.submission)}. ${details}`.trim();
      folder.renew(input, trainerJob, events);
      const what = lost.state === "PREEMPTED" ? "preempted" : lost.state;
      const place = `${folder.submission} of ${resubmit + 1}`;
      said = (next) => `${what} on ${lost.nodes ?? "the cluster"}; submitted again (Slurm job ${next}, ${place})`;
    }
  }
}

const out = (line: string) => new Promise<void>((done) => process.stdout.write(`${line}\n`, () => done()));
const log = (part: string | Buffer) => new Promise<void>((done) => process.stderr.write(part, () => done()));

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

/** The type of an event that begins or ends training; undefined for other lines. */
function typeOf(line: string): unknown {
  if (!/training_(started|ended)/.test(line)) return undefined;
  try {
    const event: unknown = JSON.parse(line);
    return isObject(event) ? event["type"] : undefined;
  } catch {
    return undefined;
  }
}
