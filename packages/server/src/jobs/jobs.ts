import { ThreadEnd } from "@trainyard/host";
import type { Attempt } from "../store/commands/job-attempts.ts";
import type { JobRecord, NewJob } from "../store/commands/jobs.ts";
import type { Result } from "../store/protocol.ts";
import { perform, type AttemptParts } from "./attempt.ts";
import type { AttemptName } from "./folders.ts";
import { LetRun, type CancelTrainerJob } from "./protocol.ts";
import { startSentence } from "../start-fault.ts";
import { storeInPieces } from "../store/in-pieces.ts";
import { untilStored } from "./until-stored.ts";

/** How long a trainer may take to cancel a job: longer than a busy cluster needs to respond. */
const cancelMs = 60_000;

/** What the runner of jobs needs. */
export interface JobsOptions extends AttemptParts {
  /** Whether the work of jobs continues while no server runs, and is resumed by the next one. */
  readonly resume: boolean;
  /** Receives errors that belong to no job. */
  report(error: unknown): void;
}

interface Running {
  readonly attempt: Attempt;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Runs training jobs. Those of one model run one after the other, in order of creation. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #running = new Map<string, Running>();
  /** The entities of the jobs that were started, the latest last. */
  readonly #started = new Set<string>();
  #claiming: Promise<void> = Promise.resolve();
  #cleaning: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();
  #resets = 0;
  #closed = false;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Resumes the jobs that a previous server left. */
  async start(): Promise<void> {
    const { store, folders, trainer, resume } = this.#options;
    if (!resume) {
      await folders.discardAll();
      await store.call("jobs.recover", undefined);
    } else if (trainer?.jobs !== 0) {
      // As many as were running: a lower limit applies only to later jobs.
      const attempts = await store.call("jobs.running", undefined);
      const running = new Set(attempts.map(({ jobId }) => jobId));
      const ended = (await folders.jobs()).filter((jobId) => !running.has(jobId));
      this.#cleaning = Promise.all(ended.map((jobId) => this.#report(this.#cleanUp({ jobId, attempt: 0 }))));
      for (const attempt of attempts) this.#begin(attempt);
    }
    this.wake();
  }

  async create({
    groups,
    ...job
  }: Omit<NewJob, "groups" | "more"> & { readonly groups: readonly string[] }): Promise<
    JobRecord | "not-found" | "key-reused"
  > {
    const { store } = this.#options;
    const created = await storeInPieces(store, job, groups, (first) =>
      store.call("jobs.create", { ...job, ...first }, [job.request.buffer]),
    );
    this.wake();
    return created;
  }

  /** Ends the attempt of a deleted model, and deletes its files. */
  modelDeleted(modelId: string): void {
    const ended = this.#stop(({ attempt }) => attempt.model.id === modelId, new Error("The model was deleted."));
    void this.#report(ended.then(() => this.#options.folders.deleteModels([modelId])));
    this.wake();
  }

  checkpointsDeleted(modelId: string, steps: readonly number[]): void {
    void this.#report(this.#options.folders.deleteSteps(modelId, steps));
  }

  /**
   * Ends all attempts, deletes all data of the store and the files of its models, and continues with an empty store.
   */
  async reset(): Promise<Result<"store.reset">> {
    const { store, folders } = this.#options;
    this.#resets++;
    try {
      await this.#claiming;
      await this.#stop(() => true, new Error("Everything was deleted."));
      const deleted = await store.call("store.reset", undefined);
      await folders.deleteModels(deleted.models);
      return deleted;
    } finally {
      this.#resets--;
      this.wake();
    }
  }

  /** Whether there is a trainer. Without one, each job fails with a sentence that says how to add it. */
  get hasTrainer(): boolean {
    return this.#options.trainer !== undefined;
  }

  /** Resolves once jobs can be started, or if there is no trainer that could be away. The folder of checkpoints is there. */
  async check(): Promise<void> {
    await this.#claiming;
    if (this.#closed) throw new Error("The server is shutting down.");
    this.#options.folders.check();
    this.#options.trainer?.check();
  }

  /** Ends all attempts. Their jobs are queued again for the next start, or continue without the server. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#claiming;
    const message = "The server is shutting down.";
    const reason = this.#options.resume ? new LetRun(message) : new Error(message);
    if (this.#options.resume) this.#closing.abort(reason);
    // Before the programs have ended, because somebody impatient may kill this process until then.
    else if (this.#running.size > 0) await this.#report(this.#options.store.call("jobs.stop", undefined));
    await this.#stop(() => true, reason);
    await this.#cleaning;
  }

  /** Starts queued jobs, also those that could not be started while the storage failed. */
  wake(): void {
    // A failed claim, as on a full disk, must not keep later ones from running.
    this.#claiming = this.#claiming.then(() => this.#claim()).catch((error: unknown) => this.#options.report(error));
  }

  /** Claims a job. A claim whose answer was lost with the store's thread may have been stored. */
  async #claimOne(): Promise<Attempt | undefined> {
    const { store } = this.#options;
    const order = { started: [...this.#started] };
    try {
      return await store.call("jobs.claim", order);
    } catch (error) {
      if (!(error instanceof ThreadEnd)) throw error;
      const running = await store.call("jobs.running", undefined);
      return running.find(({ jobId }) => !this.#running.has(jobId)) ?? (await store.call("jobs.claim", order));
    }
  }

  async #claim(): Promise<void> {
    const { trainer } = this.#options;
    while (!this.#closed && this.#resets === 0 && this.#running.size < (trainer?.jobs ?? 1)) {
      const attempt = await this.#claimOne();
      if (attempt === undefined) return;
      this.#started.delete(attempt.model.entity);
      this.#started.add(attempt.model.entity);
      this.#begin(attempt);
    }
  }

  #begin(attempt: Attempt): void {
    const controller = new AbortController();
    const done = this.#run(attempt, controller.signal);
    this.#running.set(attempt.jobId, { attempt, controller, done });
    void this.#report(
      done.finally(() => {
        this.#running.delete(attempt.jobId);
        if (!this.#closed) this.wake();
      }),
    );
  }

  async #run(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { jobId, attempt: number } = attempt;
    let code: number | string | undefined;
    try {
      await perform(attempt, this.#options, signal, (ended) => (code = ended));
    } catch (error) {
      if (this.#closed && signal.reason instanceof LetRun) return;
      const { store, resume } = this.#options;
      // Its files may be what fills the disk on which the failure is to be stored.
      if (!resume) await this.#report(this.#cleanUp(attempt));
      if (this.#closed && signal.aborted) await store.call("jobs.release", { jobId, attempt: number });
      else {
        const message = startSentence(error);
        await untilStored(
          () => store.call("jobs.fail", { jobId, attempt: number, message }),
          () => this.#closed,
        );
      }
    }
    // Only now, because an attempt without its folder would start from the beginning.
    await this.#cleanUp(attempt, code);
  }

  /**
   * Deletes the folder of a job that has ended, once nothing runs for it. For a resumed trainer, only exit code 0 of
   * its cancellation shows that.
   */
  async #cleanUp(attempt: AttemptName, code?: number | string): Promise<void> {
    const { folders, trainer } = this.#options;
    if (trainer?.resume === true && code !== 0) {
      const directory = folders.folderOf(attempt);
      const document: CancelTrainerJob = { job: { id: attempt.jobId }, cancel: { directory } };
      const log = { lastLine: "", write: async (line: string) => void (log.lastLine = line.trim() || log.lastLine) };
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(cancelMs)]);
      try {
        // A trainer that cancels a job writes no events.
        for await (const _ of trainer.run({ input: JSON.stringify(document), signal, log }));
      } catch (cause) {
        if (this.#closing.signal.aborted) return;
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new Error(
          `The job ${attempt.jobId} has ended, but its work could not be canceled: ${why} The next start of the server tries again. The work's folder is ${directory}.`,
          { cause },
        );
      }
    }
    await folders.discard(attempt);
  }

  async #stop(which: (running: Running) => boolean, reason: Error): Promise<void> {
    const stopped = [...this.#running.values()].filter(which);
    for (const { controller } of stopped) controller.abort(reason);
    await Promise.allSettled(stopped.map(({ done }) => done));
  }

  #report(work: Promise<unknown>): Promise<unknown> {
    return work.catch((error: unknown) => this.#options.report(error));
  }
}
