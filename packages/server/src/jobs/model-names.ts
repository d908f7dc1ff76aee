import type { Model } from "@trainyard/training";

/** The names of a model, as its trainer and `model.json` get them. Other fields of `Model` are left out. */
export type ModelNames = Pick<Model, "id" | "entity" | "project" | "name" | "base_model">;

/** Copies the names of a model and no other field. */
export function namesOf({ id, entity, project, name, base_model }: ModelNames): ModelNames {
  return { id, entity, project, name, base_model };
}
