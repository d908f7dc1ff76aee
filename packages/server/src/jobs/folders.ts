import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Where trainers keep what belongs to checkpoints: a folder for each step of each model. It is written under another
 * name and renamed when the job completes, so that a step's folder is whole or not there.
 */
export class CheckpointFolders {
  readonly #temporary: boolean;
  #root: string | undefined;

  /** @param data the data folder, or `memory`: then the folders are temporary */
  constructor(data: string) {
    this.#temporary = data === "memory";
    this.#root = this.#temporary ? undefined : join(data, "checkpoints");
  }

  /** The folder of a step. The untrained step has none. */
  of(modelId: string, step: number): string | null {
    return step === 0 ? null : join(this.#model(modelId), `step${step}`);
  }

  /** A new, empty folder for what an attempt writes. */
  async open(modelId: string, step: number): Promise<string> {
    const folder = join(this.#model(modelId), `step${step}.partial`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Makes what an attempt wrote the folder of its step. */
  async keep(modelId: string, step: number): Promise<void> {
    const folder = join(this.#model(modelId), `step${step}`);
    await rm(folder, { recursive: true, force: true });
    await rename(`${folder}.partial`, folder);
  }

  /** Deletes what an attempt left. */
  async discard(modelId: string, step: number): Promise<void> {
    await rm(join(this.#model(modelId), `step${step}.partial`), { recursive: true, force: true });
  }

  async deleteSteps(modelId: string, steps: readonly number[]): Promise<void> {
    for (const step of steps) {
      await rm(join(this.#model(modelId), `step${step}`), { recursive: true, force: true });
    }
  }

  async deleteModel(modelId: string): Promise<void> {
    if (this.#root !== undefined) await rm(this.#model(modelId), { recursive: true, force: true });
  }

  /** Deletes the folders of all models. */
  async deleteAll(): Promise<void> {
    if (this.#root !== undefined) await rm(this.#root, { recursive: true, force: true });
    if (this.#temporary) this.#root = undefined;
  }

  /** Deletes what is temporary. */
  close(): void {
    if (this.#temporary && this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
  }

  #model(modelId: string): string {
    this.#root ??= mkdtempSync(join(tmpdir(), "trainyard-"));
    return join(this.#root, modelId);
  }
}
