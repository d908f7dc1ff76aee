import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { namesOf, type ModelNames } from "./model-names.ts";

/** Which attempt at a job a folder is of. */
export interface AttemptName {
  readonly jobId: string;
  readonly attempt: number;
}

/** What an attempt works in. */
export interface AttemptPlaces {
  /** An empty folder for what it makes. */
  readonly output: string;
  /** Where its training data go; no part of what it makes. */
  readonly dataFile: string;
  /** What `output` is within. */
  readonly folder: string;
}

/**
 * Where trainers keep what belongs to checkpoints: `<model id>/step3/`, beside it `<model id>/model.json`, which says the
 * model's names. An attempt writes below `under-way/`, and what it wrote is renamed when its job completes: a step's folder
 * is whole or not there.
 *
 * An attempt has a folder of its own, `<job>-<attempt>`. Where trainers are taken up again, a job has one, `<job>`.
 */
export class CheckpointFolders {
  readonly #temporary: boolean;
  readonly #resume: boolean;
  #root: string | undefined;

  /**
   * @param data the data folder, or `memory`
   * @param folder a folder of its own, which others may read; within the data folder by default, or temporary in memory
   * @param resume whether trainers are taken up again
   */
  constructor(data: string, folder?: string, resume = false) {
    this.#resume = resume;
    this.#temporary = folder === undefined && data === "memory";
    // Absolute: a trainer may run in another folder than the server.
    this.#root = this.#temporary ? undefined : resolve(folder ?? join(data, "checkpoints"));
  }

  /** The folder of a step. The untrained step has none. */
  of(modelId: string, step: number): string | null {
    return step === 0 ? null : this.#step(modelId, step);
  }

  /**
   * The file that keeps what the trainer of an attempt writes to its standard error. It stays until its model is deleted;
   * its folder is made with the first line.
   */
  logOf({ jobId, attempt }: AttemptName, modelId: string): string {
    return join(this.#model(modelId), "jobs", jobId, `attempt${attempt}`, "trainer.log");
  }

  /**
   * The places of an attempt. They are new, and no other attempt has them, not even one that outlived its server; where trainers
   * are taken up again, they are those of the job, with all that is there.
   */
  async open(attempt: AttemptName, modelId: string, step: number): Promise<AttemptPlaces> {
    const folder = this.folderOf(attempt);
    const output = this.#output(attempt);
    if (!this.#resume || !(await exists(folder))) {
      await this.discard(attempt);
      // So that a step that is there later is of this job.
      await this.deleteSteps(modelId, [step]);
      await mkdir(output, { recursive: true });
    } else if (!(await exists(this.#step(modelId, step)))) await mkdir(output, { recursive: true });
    return { folder, output, dataFile: join(folder, "training-data.jsonl") };
  }

  /** Makes what an attempt wrote the folder of a step; a second time, it changes nothing. */
  async keep(attempt: AttemptName, model: ModelNames, step: number): Promise<void> {
    const folder = this.#step(model.id, step);
    if (this.#resume && (await exists(folder)) && !(await exists(this.#output(attempt)))) return;
    await mkdir(this.#model(model.id), { recursive: true });
    await writeFile(join(this.#model(model.id), "model.json"), `${JSON.stringify(namesOf(model))}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(this.#output(attempt), folder);
  }

  /** Deletes what an attempt left. */
  async discard(attempt: AttemptName): Promise<void> {
    // A program that has just been ended may still write.
    await rm(this.folderOf(attempt), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Deletes what the attempts of a server left that was killed. */
  async discardAll(): Promise<void> {
    if (this.#root !== undefined) await rm(join(this.#root, underWay), { recursive: true, force: true });
  }

  /** The jobs that have a folder, where trainers are taken up again. A folder of an attempt is of a server without that. */
  async jobs(): Promise<string[]> {
    if (this.#root === undefined) return [];
    const folder = join(this.#root, underWay);
    return (await exists(folder)) ? readdir(folder) : [];
  }

  async deleteSteps(modelId: string, steps: readonly number[]): Promise<void> {
    for (const step of steps) await rm(this.#step(modelId, step), { recursive: true, force: true });
  }

  /** Deletes the folders of models. Whatever else lies beside them stays. */
  async deleteModels(modelIds: readonly string[]): Promise<void> {
    if (this.#root === undefined) return;
    for (const id of modelIds) await rm(this.#model(id), { recursive: true, force: true });
  }

  /** Deletes what is temporary. */
  close(): void {
    if (this.#temporary && this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
  }

  #model(modelId: string): string {
    return join(this.root, modelId);
  }

  #step(modelId: string, step: number): string {
    return join(this.#model(modelId), `step${step}`);
  }

  /** What an attempt works in, or all attempts of a job where trainers are taken up again. */
  folderOf({ jobId, attempt }: AttemptName): string {
    return join(this.root, underWay, this.#resume ? jobId : `${jobId}-${attempt}`);
  }

  #output(attempt: AttemptName): string {
    return join(this.folderOf(attempt), "output");
  }

  /** The folder itself; made where it is temporary. */
  get root(): string {
    this.#root ??= mkdtempSync(join(tmpdir(), "trainyard-"));
    return this.#root;
  }
}

const underWay = "under-way";

/** Whether a file or a folder is there. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
