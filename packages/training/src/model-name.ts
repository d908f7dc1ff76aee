import type { Model } from "./generated/schema.ts";

/** The name of a trained model for chat completions. */
export type ModelName = `artifact:///${string}/${string}/${string}`;

/** Which checkpoint of a model to use. */
export interface ModelNameOptions {
  /** The number of a step, from 0 (untrained), or the newest. Default: the service chooses. */
  readonly step?: number | "latest";
}

/**
 * The name under which a trained model answers chat completions, here and at the inference service:
 * `artifact:///entity/project/name`, with `:step3` or `:latest` for one of its checkpoints.
 *
 * @throws RangeError if the step is not an integer of at least 0, or if the entity, project or name is empty or contains `/` or
 *   `:`, which would name another model.
 * @beta
 */
export function modelName(
  model: Pick<Model, "entity" | "project" | "name">,
  { step }: ModelNameOptions = {},
): ModelName {
  for (const part of ["entity", "project", "name"] as const) {
    if (!/^[^/:]+$/.test(model[part])) {
      throw new RangeError(
        `The ${part} of a model cannot be ${JSON.stringify(model[part])}: it must not be empty, or hold "/" or ":".`,
      );
    }
  }
  const name: ModelName = `artifact:///${model.entity}/${model.project}/${model.name}`;
  if (step === undefined) return name;
  if (step === "latest") return `${name}:latest`;
  if (!Number.isSafeInteger(step) || step < 0) {
    throw new RangeError(`The step of a model must be a whole number of at least 0, or "latest", not ${step}.`);
  }
  return `${name}:step${step}`;
}
