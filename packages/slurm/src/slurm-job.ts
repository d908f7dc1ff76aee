import { setTimeout as sleep } from "node:timers/promises";
import { cancel, jobsOfName, SlurmAway, stateOf, submit } from "./engine.ts";
import type { KeptAllocations } from "./kept-allocations.ts";
import type { WorkFolder } from "./work-folder.ts";

const retryMs = 1000;
/** How long to wait for the end of a canceled job. Slurm's own limit (KillWait) is longer, and applies without us. */
const endMs = 4000;

/** The Slurm job of a training job's newest submission: submitted once, and found again after any interruption. */
export class SlurmJob {
  readonly #folder: WorkFolder;
  readonly #jobId: string;
  readonly #say: (sentence: string) => void;
  readonly #kept: KeptAllocations | undefined;

  constructor(folder: WorkFolder, jobId: string, say: (sentence: string) => void, kept?: KeptAllocations) {
    this.#folder = folder;
    this.#jobId = jobId;
    this.#say = say;
    this.#kept = kept;
  }

  get #name(): string {
    const { submission } = this.#folder;
    return `trainyard-${this.#jobId}${submission === 1 ? "" : `-${submission}`}`;
  }

  /**
   * Returns the id of the job. Submits it if that has not happened.
   *
   * @param options options of sbatch
   * @param said what to say of a submission
   * @param left stops the submission; then there may be no id
   * @throws Error with Slurm's message if it rejects the job
   */
  submitOnce(
    options: readonly string[],
    program: readonly string[],
    said: (id: string) => string,
    left: AbortSignal,
  ): Promise<string | undefined> {
    return this.#untilAnswered(async () => {
      const found = await this.#find();
      if (found !== undefined) return found;
      const own = [this.#folder.file("program.sh"), this.#folder.path, this.#folder.suffix, ...program];
      const kept = await this.#kept?.take(own, this.#folder);
      if (kept !== undefined) {
        this.#say(`runs in the allocation that was kept (Slurm job ${kept})`);
        return kept;
      }
      if (this.#folder.submission === 1) this.#folder.write("submitted", "");
      // Our options last, because the last one wins. A percent sign in a path would start a placeholder.
      const ours = ["--no-requeue", `--job-name=${this.#name}`, "--input=/dev/null", "--open-mode=append"];
      const output = `--output=${this.#folder.file("log").replaceAll("%", "%%")}`;
      const script = this.#kept?.keeping(own, this.#folder) ?? own;
      const id = await submit([...options, ...ours, output], script);
      this.#folder.write("slurm-job", id);
      this.#say(said(id));
      return id;
    }, left);
  }

  /**
   * Cancels the job if it was submitted, and waits briefly for its end. Retries while Slurm does not respond.
   *
   * @throws Error if Slurm rejects the cancellation
   */
  async end(): Promise<void> {
    const id = await this.#untilAnswered(async () => {
      // An allocation that is kept may already run another job.
      if (this.#kept !== undefined && this.#folder.end !== undefined) return undefined;
      const found = await this.#find();
      if (found !== undefined) await cancel(found);
      return found;
    });
    if (id === undefined) return;
    for (const late = Date.now() + endMs; Date.now() < late; await sleep(100)) {
      if ((await stateOf(id))?.hasEnded ?? true) return;
    }
  }

  /** The id of the job, if it was submitted. */
  async #find(): Promise<string | undefined> {
    const noted = this.#folder.read("slurm-job");
    if (noted !== undefined || this.#folder.read("submitted") === undefined) return noted;
    // It may have been submitted by a process that was killed before it could write the id down.
    const [first, ...others] = await jobsOfName(this.#name);
    for (const other of others) await cancel(other);
    if (first !== undefined) this.#folder.write("slurm-job", first);
    return first;
  }

  /** Calls Slurm, and retries while it does not respond. */
  async #untilAnswered<T>(ask: () => Promise<T>, left?: AbortSignal): Promise<T | undefined> {
    for (let wasAway = false; ; wasAway = true) {
      if (left?.aborted) return undefined;
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof SlurmAway)) throw error;
        if (!wasAway) this.#say(`the cluster does not respond; retrying: ${error.message}`);
        await sleep(retryMs);
      }
    }
  }
}
