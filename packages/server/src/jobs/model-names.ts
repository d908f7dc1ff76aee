import type { Model } from "@trainyard/training";

/** The names of a model: what its trainer and `model.json` say of it. A further field of `Model` stays out. */
export type ModelNames = Pick<Model, "id" | "entity" | "project" | "name" | "base_model">;

/** The names of a model, and nothing else of it. */
export function namesOf({ id, entity, project, name, base_model }: ModelNames): ModelNames {
  return { id, entity, project, name, base_model };
}
