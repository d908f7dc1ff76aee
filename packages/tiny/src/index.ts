/**
 * A small model that learns: it completes chat in a thread of its own, and a program trains it. It is built into the
 * local server.
 *
 * @module
 */
export { baseModelName } from "./base/name.ts";
export { inThread } from "./serve/in-thread.ts";
export { modelEntry, serveTiny, type ServeTinyOptions, type TinyServer } from "./serve/serve-tiny.ts";
export { TinyChat, type TinyAnswer } from "./serve/tiny-chat.ts";
export { tinyTrainer } from "./training/program.ts";
