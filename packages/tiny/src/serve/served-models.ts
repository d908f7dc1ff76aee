import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { baseModelName } from "../base/name.ts";
import type { CheckpointAbout } from "../checkpoint/about.ts";
import { aboutFile, CheckpointError, readAbout, readCheckpoint } from "../checkpoint/checkpoint.ts";
import type { TinyModel } from "../model/tiny-model.ts";

/** The name of a trained model at a step. */
interface StepName {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  readonly step: number;
}

/** How many trained models are cached in memory; each takes 8 MB. */
const most = 4;

/** The served models: the base model, and those of the checkpoints of a folder. */
export class ServedModels {
  readonly #checkpoints: string | undefined;
  readonly #readBase: () => Promise<TinyModel>;
  /** By the checksum of their weights, the most recently used at the end. */
  readonly #loaded = new Map<string, Promise<TinyModel>>();
  readonly #folders = new Map<string, string>();
  #base: Promise<TinyModel> | undefined;

  /**
   * @param checkpoints a folder with a subfolder for each model and step: `{model}/step3`
   * @param loadBase returns the base model
   */
  constructor(checkpoints: string | undefined, loadBase: () => Promise<TinyModel>) {
    this.#checkpoints = checkpoints;
    this.#readBase = loadBase;
  }

  /**
   * A model by its name: `demo/tiny`, or `artifact:///entity/project/name:step3`. Undefined if it does not exist. Step
   * 0 is the base model, whatever the name.
   *
   * @throws CheckpointError if the checkpoint is damaged
   */
  async find(name: string): Promise<TinyModel | undefined> {
    if (name === baseModelName) return this.#loadBase();
    const wanted = parseName(name);
    if (wanted === undefined) return undefined;
    if (wanted.step === 0) return this.#loadBase();
    const found = (await this.#remembered(name, wanted)) ?? (await this.#search(name, wanted));
    return found && this.#load(found);
  }

  #loadBase(): Promise<TinyModel> {
    this.#base ??= this.#readBase().catch((error: unknown) => {
      this.#base = undefined;
      throw error;
    });
    return this.#base;
  }

  async #load({ directory, about }: Found): Promise<TinyModel> {
    const key = about.weights.sha256;
    const model = this.#loaded.get(key) ?? readCheckpoint(directory).then((checkpoint) => checkpoint.model);
    this.#loaded.delete(key);
    this.#loaded.set(key, model);
    const [oldest] = this.#loaded.keys();
    if (this.#loaded.size > most && oldest !== undefined) this.#loaded.delete(oldest);
    return model.catch((error: unknown) => {
      this.#loaded.delete(key);
      throw error;
    });
  }

  /** The folder where it was found before, if it still exists. */
  async #remembered(name: string, wanted: StepName): Promise<Found | undefined> {
    const directory = this.#folders.get(name);
    const about = directory === undefined ? undefined : await aboutOf(directory, wanted);
    if (directory !== undefined && about !== undefined) return { directory, about };
    this.#folders.delete(name);
    return undefined;
  }

  /** Searches the models' folders. If two have the same names, the older one belongs to a deleted model. */
  async #search(name: string, wanted: StepName): Promise<Found | undefined> {
    const root = this.#checkpoints;
    if (root === undefined) return undefined;
    let newest: (Found & { readonly time: number }) | undefined;
    for (const model of await readdir(root).catch(() => [])) {
      const directory = join(root, model, `step${wanted.step}`);
      const about = await aboutOf(directory, wanted);
      if (about === undefined) continue;
      const time = await stat(join(directory, aboutFile)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      if (newest === undefined || time > newest.time) newest = { directory, about, time };
    }
    if (newest !== undefined) this.#folders.set(name, newest.directory);
    return newest;
  }
}

interface Found {
  readonly directory: string;
  readonly about: CheckpointAbout;
}

function parseName(name: string): StepName | undefined {
  const [, entity, project, model, step] =
    /^artifact:\/\/\/([^/:]+)\/([^/:]+)\/([^/:]+):step(\d{1,15})$/.exec(name) ?? [];
  if (entity === undefined || project === undefined || model === undefined) return undefined;
  return { entity, project, name: model, step: Number(step) };
}

/** The metadata of a checkpoint, if it is the requested one. */
async function aboutOf(directory: string, wanted: StepName): Promise<CheckpointAbout | undefined> {
  try {
    const about = await readAbout(directory);
    const { entity, project, name } = about.model;
    const isWanted =
      entity === wanted.entity && project === wanted.project && name === wanted.name && about.step === wanted.step;
    return isWanted ? about : undefined;
  } catch (error) {
    // A checkpoint without valid metadata may belong to any model.
    if (error instanceof CheckpointError) return undefined;
    throw error;
  }
}
