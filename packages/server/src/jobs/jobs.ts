import type { Attempt } from "../store/commands/job-attempts.ts";
import type { JobRecord, NewJob } from "../store/commands/jobs.ts";
import { perform, type AttemptParts } from "./attempt.ts";

/** What the runner of jobs works with. */
export interface JobsOptions extends AttemptParts {
  /** Is told of what went wrong outside of a job. */
  report(error: unknown): void;
}

interface Running {
  readonly attempt: Attempt;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Runs training jobs: those of one model one after the other, in order of creation. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #running = new Map<string, Running>();
  #claiming: Promise<void> = Promise.resolve();
  #resets = 0;
  #closed = false;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Takes up what a server left that ended. */
  async start(): Promise<void> {
    const { store, folders } = this.#options;
    await folders.discardAll();
    await store.call("jobs.recover", undefined);
    this.#wake();
  }

  async create(job: NewJob): Promise<JobRecord | "not-found" | "key-reused"> {
    const created = await this.#options.store.call("jobs.create", job, [job.request.buffer]);
    this.#wake();
    return created;
  }

  /** Ends the attempt of a model that is gone, and deletes its files. */
  modelDeleted(modelId: string): void {
    const ended = this.#stop(({ attempt }) => attempt.model.id === modelId, "The model was deleted.");
    this.#report(ended.then(() => this.#options.folders.deleteModels([modelId])));
    this.#wake();
  }

  checkpointsDeleted(modelId: string, steps: readonly number[]): void {
    this.#report(this.#options.folders.deleteSteps(modelId, steps));
  }

  /** Ends everything, deletes all that the store has and the files of its models, and goes on with nothing. */
  async reset(): Promise<void> {
    const { store, folders } = this.#options;
    this.#resets++;
    try {
      await this.#claiming;
      await this.#stop(() => true, "Everything was deleted.");
      const { models } = await store.call("store.reset", undefined);
      await folders.deleteModels(models);
    } finally {
      this.#resets--;
      this.#wake();
    }
  }

  /** Resolves while jobs are taken up. */
  async check(): Promise<void> {
    await this.#claiming;
    if (this.#closed) throw new Error("The server is shutting down.");
    const { trainer } = this.#options;
    trainer?.check();
  }

  /** Ends what runs; it is queued again for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#claiming;
    await this.#stop(() => true, "The server is shutting down.");
  }

  #wake(): void {
    this.#claiming = this.#claiming.then(() => this.#claim());
    this.#report(this.#claiming);
  }

  async #claim(): Promise<void> {
    const { store, trainer } = this.#options;
    while (!this.#closed && this.#resets === 0 && this.#running.size < (trainer?.jobs ?? 1)) {
      const attempt = await store.call("jobs.claim", undefined);
      if (attempt === undefined) return;
      const controller = new AbortController();
      const done = this.#run(attempt, controller.signal);
      this.#running.set(attempt.jobId, { attempt, controller, done });
      this.#report(
        done.finally(() => {
          this.#running.delete(attempt.jobId);
          if (!this.#closed) this.#wake();
        }),
      );
    }
  }

  async #run(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { jobId, attempt: number } = attempt;
    try {
      await perform(attempt, this.#options, signal);
    } catch (error) {
      if (this.#closed && signal.aborted) {
        return this.#options.store.call("jobs.release", { jobId, attempt: number });
      }
      const message = error instanceof Error ? error.message : String(error);
      await this.#options.store.call("jobs.fail", { jobId, attempt: number, message });
    }
  }

  async #stop(which: (running: Running) => boolean, reason: string): Promise<void> {
    const stopped = [...this.#running.values()].filter(which);
    for (const { controller } of stopped) controller.abort(new Error(reason));
    await Promise.allSettled(stopped.map(({ done }) => done));
  }

  #report(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#options.report(error));
  }
}
