/**
 * The tiny model without a thread, a program or a file of its own: for a page, whose worker runs everything.
 *
 * @module
 */
export { baseModelName } from "./base/name.ts";
export { readCheckpoint, writeCheckpoint } from "./checkpoint/checkpoint.ts";
export { TinyModel } from "./model/tiny-model.ts";
export { inProcess } from "./serve/generator.ts";
export { game, hintFor, promptTasks, type PromptTask } from "./tasks/tasks.ts";
export { train } from "./training/train.ts";
