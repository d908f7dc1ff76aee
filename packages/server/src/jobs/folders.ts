import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type * as Disk from "./disk.ts";
import { namesOf, type ModelNames } from "./protocol.ts";

/** The attempt at a job that a folder belongs to. */
export interface AttemptName {
  readonly jobId: string;
  readonly attempt: number;
}

/** The folders of an attempt. */
export interface AttemptFolders {
  /** An empty folder for its results. */
  readonly output: string;
  /** The folder for its training data, which are not part of its results. */
  readonly dataFile: string;
  /** The parent folder of `output`. */
  readonly folder: string;
}

/**
 * Where trainers store the files of checkpoints: `<model id>/step3/`, and beside it `<model id>/model.json` with the
 * model's names. An attempt writes below `under-way/`, and its results are renamed when its job completes: the folder
 * of a step is complete or absent.
 *
 * Each attempt has a folder of its own, `<job>-<attempt>`. If trainers are resumed, each job has one, `<job>`.
 */
export class CheckpointFolders {
  readonly #temporary: boolean;
  readonly #resume: boolean;
  readonly #disk: typeof Disk | undefined;
  #root: string | undefined;
  /** @throws StorageFault if the folder is no longer there */
  readonly check: () => void;

  /**
   * @param data the data folder, or `memory`
   * @param folder a folder for this server alone, which others may read; within the data folder by default, or
   * temporary in memory
   * @param resume whether trainers are resumed
   * @param disk flushes what is kept, and sees whether the folder is lost, which exists; without it, files are in memory
   */
  constructor(data: string, folder?: string, resume = false, disk?: typeof Disk) {
    this.#resume = resume;
    this.#disk = disk;
    this.#temporary = folder === undefined && data === "memory";
    // Absolute: a trainer may run in another folder than the server.
    this.#root = this.#temporary ? undefined : resolve(folder ?? join(data, "checkpoints"));
    this.check = (this.#root !== undefined && disk?.checkFolder(this.#root)) || (() => undefined);
  }

  /** The folder of a step. The untrained step has none. */
  of(modelId: string, step: number): string | null {
    return step === 0 ? null : this.#step(modelId, step);
  }

  /**
   * The file with what the trainer of an attempt writes to its standard error. It stays until its model is deleted; its
   * folder is created with the first line.
   */
  logOf({ jobId, attempt }: AttemptName, modelId: string): string {
    return join(this.#model(modelId), "jobs", jobId, `attempt${attempt}`, "trainer.log");
  }

  /** The bytes of a model's files: its checkpoints and trainer logs. */
  async bytesOf(modelId: string): Promise<number> {
    if (this.#root === undefined) return 0;
    const files = await readdir(this.#model(modelId), { recursive: true, withFileTypes: true }).catch(() => []);
    let bytes = 0;
    for (const file of files) {
      if (file.isFile()) bytes += (await stat(join(file.parentPath, file.name)).catch(() => undefined))?.size ?? 0;
    }
    return bytes;
  }

  /** The trainer logs of a job, with their sizes in bytes. They are only counted if `deletes` is false. */
  async pruneLogs(jobId: string, modelId: string, deletes: boolean): Promise<number[]> {
    const folder = join(this.#model(modelId), "jobs", jobId);
    const attempts = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(
      attempts.map((attempt) =>
        stat(join(folder, attempt, "trainer.log")).then(
          ({ size }) => [size],
          () => [],
        ),
      ),
    );
    if (deletes && attempts.length > 0) await rm(folder, { recursive: true, force: true });
    return sizes.flat();
  }

  /**
   * Creates the folders of an attempt. They are new, and no other attempt has them, not even one that outlived its
   * server. If trainers are resumed, they are the job's folders with their content.
   */
  async open(attempt: AttemptName, modelId: string, step: number): Promise<AttemptFolders> {
    const folder = this.folderOf(attempt);
    const output = this.#output(attempt);
    if (!this.#resume || !(await exists(folder))) {
      await this.discard(attempt);
      // A folder of the step that exists later must come from this job.
      await this.deleteSteps(modelId, [step]);
      await mkdir(output, { recursive: true });
    } else if (!(await exists(this.#step(modelId, step)))) await mkdir(output, { recursive: true });
    return { folder, output, dataFile: join(folder, "training-data.jsonl") };
  }

  /**
   * Turns the results of an attempt into the folder of a step. It is on disk when this resolves. Repeating it changes
   * nothing.
   *
   * @throws Error that names an entry that is neither a file, a folder nor a link within the folder
   */
  async keep(attempt: AttemptName, model: ModelNames, step: number): Promise<void> {
    const folder = this.#step(model.id, step);
    const output = this.#output(attempt);
    if (!this.#resume || (await exists(output)) || !(await exists(folder))) {
      await this.#disk?.flushAll(output);
      await mkdir(this.#model(model.id), { recursive: true });
      const names = `${JSON.stringify(namesOf(model))}\n`;
      await writeFile(join(this.#model(model.id), "model.json"), names, { flush: true });
      await rm(folder, { recursive: true, force: true });
      await rename(output, folder);
    }
    for (const changed of [this.#model(model.id), this.root]) await this.#disk?.flush(changed);
  }

  /** Deletes the files of an attempt. */
  async discard(attempt: AttemptName): Promise<void> {
    // A program that has just been ended may still write.
    await rm(this.folderOf(attempt), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Deletes the files that the attempts of a killed server left. */
  async discardAll(): Promise<void> {
    if (this.#root !== undefined) await rm(join(this.#root, underWay), { recursive: true, force: true });
  }

  /**
   * The jobs that have a folder, if trainers are resumed. A folder of a single attempt comes from a server without that
   * setting.
   */
  async jobs(): Promise<string[]> {
    if (this.#root === undefined) return [];
    const folder = join(this.#root, underWay);
    return (await exists(folder)) ? readdir(folder) : [];
  }

  async deleteSteps(modelId: string, steps: readonly number[]): Promise<void> {
    for (const step of steps) await rm(this.#step(modelId, step), { recursive: true, force: true });
  }

  /** Deletes the folders of models. Other files beside them stay. */
  async deleteModels(modelIds: readonly string[]): Promise<void> {
    if (this.#root === undefined) return;
    for (const id of modelIds) await rm(this.#model(id), { recursive: true, force: true });
  }

  /** Deletes the temporary folder. */
  close(): void {
    if (this.#temporary && this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
  }

  #model(modelId: string): string {
    return join(this.root, modelId);
  }

  #step(modelId: string, step: number): string {
    return join(this.#model(modelId), `step${step}`);
  }

  /** The working folder of an attempt, or of all attempts of a job if trainers are resumed. */
  folderOf({ jobId, attempt }: AttemptName): string {
    return join(this.root, underWay, this.#resume ? jobId : `${jobId}-${attempt}`);
  }

  #output(attempt: AttemptName): string {
    return join(this.folderOf(attempt), "output");
  }

  /** The root folder; created if it is temporary. */
  get root(): string {
    this.#root ??= mkdtempSync(join(tmpdir(), "trainyard-"));
    return this.#root;
  }
}

const underWay = "under-way";

/** Whether a file or a folder exists. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
