import { setTimeout as sleep } from "node:timers/promises";
import { cancel, hasEnded, jobsOfName, SlurmAway, stateOf, submit, type SlurmState } from "./engine.ts";
import type { WorkFolder } from "./work-folder.ts";

/** What is submitted for a training job. */
export interface Submission {
  /** The training job's id. */
  readonly jobId: string;
  /** The training job's folder. */
  readonly directory: string;
  /** Options of sbatch. */
  readonly options: readonly string[];
  /** The program and its arguments. */
  readonly program: readonly string[];
}

const retryMs = 1000;
/** How long to wait for the end of a canceled job. Slurm's own limit (KillWait) is longer, and applies without us. */
const endMs = 4000;

/** The Slurm job of a training job: submitted once, and found again after any interruption. */
export class SlurmJob {
  readonly #folder: WorkFolder;
  readonly #name: string;
  readonly #say: (sentence: string) => void;

  constructor(folder: WorkFolder, jobId: string, say: (sentence: string) => void) {
    this.#folder = folder;
    this.#name = `trainyard-${jobId}`;
    this.#say = say;
  }

  /**
   * Returns the id of the job. Submits it if that has not happened.
   *
   * @param isWanted is called before each attempt; false stops the submission
   * @throws Error with Slurm's message if it rejects the job
   */
  async submitOnce({ directory, options, program }: Submission, isWanted: () => boolean): Promise<string | undefined> {
    return this.#untilAnswered(async () => {
      const found = await this.find();
      if (found !== undefined) return found;
      this.#folder.begin();
      // Our options last, because the last one wins. A percent sign in a path would start a placeholder.
      const ours = ["--no-requeue", `--job-name=${this.#name}`, "--input=/dev/null", "--open-mode=append"];
      const output = `--output=${this.#folder.log.replaceAll("%", "%%")}`;
      const id = await submit([...options, ...ours, output], [this.#folder.script, directory, ...program]);
      this.#folder.slurmJob = id;
      this.#say(`submitted to the cluster (Slurm job ${id})`);
      return id;
    }, isWanted);
  }

  /** The id of the job, if it was submitted. */
  async find(): Promise<string | undefined> {
    const noted = this.#folder.slurmJob;
    if (noted !== undefined || !this.#folder.hasBegun) return noted;
    // It may have been submitted by a process that was killed before it could write the id down.
    const [first, ...others] = await jobsOfName(this.#name);
    for (const other of others) await cancel(other);
    if (first !== undefined) this.#folder.slurmJob = first;
    return first;
  }

  /** Calls Slurm, and retries while it does not respond. */
  async #untilAnswered<T>(ask: () => Promise<T>, isWanted: () => boolean = () => true): Promise<T | undefined> {
    for (let wasAway = false; isWanted(); wasAway = true) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof SlurmAway)) throw error;
        if (!wasAway) this.#say(`the cluster does not respond; retrying: ${error.message}`);
        await sleep(retryMs);
      }
    }
    return undefined;
  }

  /**
   * Cancels the job if it was submitted, and waits briefly for its end. Retries while Slurm does not respond.
   *
   * @throws Error if Slurm rejects the cancellation
   */
  async end(): Promise<void> {
    const id = await this.#untilAnswered(async () => {
      const found = await this.find();
      if (found !== undefined) await cancel(found);
      return found;
    });
    if (id === undefined) return;
    for (const late = Date.now() + endMs; Date.now() < late; await sleep(100)) {
      const state = await stateOf(id);
      if (state === undefined || hasEnded(state)) return;
    }
  }
}

/** The state of a job that has not ended, as a sentence for the log. */
export function progressOf(id: string, { state, reason, nodes }: SlurmState): string {
  const job = `(Slurm job ${id})`;
  if (state === "PENDING") return `queued by the cluster${reason === undefined ? "" : `: ${reason}`} ${job}`;
  if (state === "RUNNING") return `running on ${nodes ?? "the cluster"} ${job}`;
  return `${state} ${job}`;
}
