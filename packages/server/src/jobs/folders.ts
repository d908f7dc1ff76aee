import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ModelRecord } from "../store/commands/models.ts";

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
}

/**
 * Where trainers keep what belongs to checkpoints: `<model id>/step3/`, beside it `<model id>/model.json`, which says the
 * model's names. An attempt writes below `under-way/`, and what it wrote is renamed when its job completes: a step's folder
 * is whole or not there.
 */
export class CheckpointFolders {
  readonly #temporary: boolean;
  #root: string | undefined;

  /**
   * @param data the data folder, or `memory`
   * @param folder a folder of its own, which others may read; within the data folder by default, or temporary in memory
   */
  constructor(data: string, folder?: string) {
    this.#temporary = folder === undefined && data === "memory";
    // Absolute: a trainer may run in another folder than the server.
    this.#root = this.#temporary ? undefined : resolve(folder ?? join(data, "checkpoints"));
  }

  /** The folder of a step. The untrained step has none. */
  of(modelId: string, step: number): string | null {
    return step === 0 ? null : join(this.#model(modelId), `step${step}`);
  }

  /**
   * The file that keeps what the trainer of an attempt writes to its standard error. It stays until its model is deleted;
   * its folder is made with the first line.
   */
  logOf({ jobId, attempt }: AttemptName, modelId: string): string {
    return join(this.#model(modelId), "jobs", jobId, `attempt${attempt}`, "trainer.log");
  }

  /** New places for an attempt. No other one has them, not even one that outlived its server. */
  async open(attempt: AttemptName): Promise<AttemptPlaces> {
    await this.discard(attempt);
    const output = this.#output(attempt);
    await mkdir(output, { recursive: true });
    return { output, dataFile: join(this.#underWay(attempt), "training-data.jsonl") };
  }

  /** Makes what an attempt wrote the folder of a step. */
  async keep(attempt: AttemptName, model: ModelRecord, step: number): Promise<void> {
    const folder = join(this.#model(model.id), `step${step}`);
    await mkdir(this.#model(model.id), { recursive: true });
    const { run_id: _, ...names } = model;
    await writeFile(join(this.#model(model.id), "model.json"), `${JSON.stringify(names)}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(this.#output(attempt), folder);
  }

  /** Deletes what an attempt left. */
  async discard(attempt: AttemptName): Promise<void> {
    await rm(this.#underWay(attempt), { recursive: true, force: true });
  }

  /** Deletes what the attempts of a server left that was killed. */
  async discardAll(): Promise<void> {
    if (this.#root !== undefined) await rm(join(this.#root, underWay), { recursive: true, force: true });
  }

  async deleteSteps(modelId: string, steps: readonly number[]): Promise<void> {
    for (const step of steps) {
      await rm(join(this.#model(modelId), `step${step}`), { recursive: true, force: true });
    }
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

  #underWay({ jobId, attempt }: AttemptName): string {
    return join(this.root, underWay, `${jobId}-${attempt}`);
  }

  #output(attempt: AttemptName): string {
    return join(this.#underWay(attempt), "output");
  }

  /** The folder itself; made where it is temporary. */
  get root(): string {
    this.#root ??= mkdtempSync(join(tmpdir(), "trainyard-"));
    return this.#root;
  }
}

const underWay = "under-way";
