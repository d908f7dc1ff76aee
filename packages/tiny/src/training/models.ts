import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CheckpointError, readCheckpoint } from "../checkpoint/checkpoint.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import type { Job } from "./job.ts";
import type { KlSettings } from "./rl-settings.ts";
import { TrainingFailure } from "./training-failure.ts";

/** Returns the weights of a base model; undefined for an unknown one. */
export type BaseModels = (name: string) => Promise<TinyModel | undefined>;

/** The weights that a job can read: its base model, the step that it starts from, and other steps of its model. */
export class JobModels {
  readonly #job: Job;
  readonly #baseModels: BaseModels;

  constructor(job: Job, baseModels: BaseModels) {
    this.#job = job;
    this.#baseModels = baseModels;
  }

  /**
   * The weights that training starts from. The caller may change them.
   *
   * @throws TrainingFailure if the base model is unknown, or the checkpoint cannot be read
   */
  async start(): Promise<TinyModel> {
    const directory = this.#job.checkpoint?.directory;
    return typeof directory === "string" ? this.#read(directory) : this.#base();
  }

  /**
   * The weights that a penalty compares with. If a lag leads to a deleted step, the newest step before it is used.
   *
   * @throws TrainingFailure if no such step exists any more
   */
  async reference(reference: KlSettings["reference"]): Promise<TinyModel> {
    const step = this.#job.checkpoint?.step ?? 0;
    if ("lag" in reference) return this.#at(await this.#newestUntil(step - reference.lag));
    if (reference.step > step) {
      throw new TrainingFailure(
        `experimental_config.kl_penalty_reference_step is ${reference.step}, and this job starts from step ${step}. Name that step or an earlier one.`,
      );
    }
    return this.#at(reference.step);
  }

  async #at(step: number): Promise<TinyModel> {
    if (step === (this.#job.checkpoint?.step ?? 0)) return this.start();
    if (step === 0) return this.#base();
    try {
      return await this.#read(join(this.#neighbors, `step${step}`));
    } catch (error) {
      if (
        !(error instanceof TrainingFailure && error.cause instanceof CheckpointError && error.cause.kind === "missing")
      )
        throw error;
      throw new TrainingFailure(
        `experimental_config.kl_penalty_reference_step is ${step}, and that step has no checkpoint here. Name one that is listed; 0 is the base model.`,
        { cause: error },
      );
    }
  }

  async #newestUntil(step: number): Promise<number> {
    const names = await readdir(this.#neighbors).catch(() => []);
    const steps = names.map((name) => Number(/^step(\d+)$/.exec(name)?.[1] ?? 0));
    return Math.max(0, ...steps.filter((earlier) => earlier <= step));
  }

  /** The folder that contains the steps of the model. */
  get #neighbors(): string {
    return dirname(this.#job.checkpoint?.directory ?? this.#job.output.directory);
  }

  async #base(): Promise<TinyModel> {
    const { base_model: baseModel } = this.#job.model;
    const model = await this.#baseModels(baseModel);
    if (model !== undefined) return model;
    throw new TrainingFailure(
      `There is no base model ${baseModel} here. This program trains demo/tiny alone: create a model with that as its base_model.`,
    );
  }

  async #read(directory: string): Promise<TinyModel> {
    try {
      const { model, about } = await readCheckpoint(directory);
      if (about.base_model === this.#job.model.base_model) return model;
      throw new TrainingFailure(
        `The checkpoint of step ${about.step} was trained from ${about.base_model}, not from ${this.#job.model.base_model}. Go on with the model that it belongs to.`,
      );
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      throw new TrainingFailure(error.message, { cause: error });
    }
  }
}
