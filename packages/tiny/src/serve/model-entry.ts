import type { ModelListEntry } from "@trainyard/inference";
import { baseModelName } from "../base/name.ts";

/** The entry of the model in lists of models. */
export const modelEntry: ModelListEntry = {
  id: baseModelName,
  object: "model",
  created: 0,
  owned_by: "trainyard",
  root: baseModelName,
};
