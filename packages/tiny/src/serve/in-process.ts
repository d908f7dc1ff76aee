import type { TinyModel } from "../model/tiny-model.ts";
import { generate, type Generator } from "./generator.ts";
import { ServedModels } from "./served-models.ts";

/**
 * The tiny model in the caller's thread: a page's worker is a thread of its own already.
 *
 * @param checkpoints the folder in which the local server stores checkpoints
 * @param loadBase returns the base model
 */
export function inProcess(checkpoints: string, loadBase: () => Promise<TinyModel>): Generator {
  const models = new ServedModels(checkpoints, loadBase);
  return { ask: (question, { signal }) => generate(models, question, signal), close: async () => undefined };
}
