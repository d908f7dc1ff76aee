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

/** How many trained models stay in memory; each takes 8 MB. */
const most = 4;

/** The models that are served: the base model, and those of the checkpoints of a folder. */
export class ServedModels {
  readonly #checkpoints: string | undefined;
  readonly #readBase: () => Promise<TinyModel>;
  /** By the checksum of their weights, the one that was asked for last at the end. */
  readonly #loaded = new Map<string, Promise<TinyModel>>();
  readonly #folders = new Map<string, string>();
  #base: Promise<TinyModel> | undefined;

  /**
   * @param checkpoints the folder in which each model has one, and each of its steps one in that: `{model}/step3`
   * @param loadBase gives the base model
   */
  constructor(checkpoints: string | undefined, loadBase: () => Promise<TinyModel>) {
    this.#checkpoints = checkpoints;
    this.#readBase = loadBase;
  }

  /**
   * A model by its name: `demo/tiny`, or `artifact:///entity/project/name:step3`. Undefined where there is none. Step 0 is
   * the base model, whatever the name.
   *
   * @throws CheckpointError where the checkpoint is damaged
   */
  async find(name: string): Promise<TinyModel | undefined> {
    if (name === baseModelName) return this.#loadBase();
    const wanted = parseName(name);
    if (wanted === undefined) return undefined;
    if (wanted.step === 0) return this.#loadBase();
    const found = (await this.#known(name, wanted)) ?? (await this.#search(name, wanted));
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

  /** Where it was found before, if it is there still. */
  async #known(name: string, wanted: StepName): Promise<Found | undefined> {
    const directory = this.#folders.get(name);
    const about = directory === undefined ? undefined : await aboutOf(directory, wanted);
    if (directory !== undefined && about !== undefined) return { directory, about };
    this.#folders.delete(name);
    return undefined;
  }

  /** Looks through the models' folders. Of two with the same names, one is of a model that was deleted: the older one. */
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

/** What a checkpoint says of itself, where it is the one that is wanted. */
async function aboutOf(directory: string, wanted: StepName): Promise<CheckpointAbout | undefined> {
  try {
    const about = await readAbout(directory);
    const { entity, project, name } = about.model;
    const isWanted =
      entity === wanted.entity && project === wanted.project && name === wanted.name && about.step === wanted.step;
    return isWanted ? about : undefined;
  } catch (error) {
    // One that cannot say what it is may be any model's.
    if (error instanceof CheckpointError) return undefined;
    throw error;
  }
}
