import type { TinyModel } from "../model/tiny-model.ts";
import { Generator } from "./generator.ts";
import type { Connect } from "./generator-protocol.ts";
import { ServedModels } from "./served-models.ts";

/**
 * The tiny model in the caller's thread: a page's worker is a thread of its own already.
 *
 * @param checkpoints the folder in which the local server stores checkpoints
 * @param loadBase returns the base model
 */
export function inHere(checkpoints: string, loadBase: () => Promise<TinyModel>): Connect {
  return (reply) => {
    const generator = new Generator(new ServedModels(checkpoints, loadBase));
    return {
      postMessage: (question) =>
        void generator.answer(question).then((answer) => answer && reply({ id: question.id, ...answer })),
      ref: () => undefined,
      unref: () => undefined,
      terminate: async () => undefined,
    };
  };
}
