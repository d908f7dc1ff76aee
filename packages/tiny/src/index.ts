/**
 * A small model that learns, for the local server's two seams: a chat server that answers with it, and (by the command
 * `train`) a program that trains it.
 *
 * @module
 */
export { serveTiny, type ServeTinyOptions, type TinyServer } from "./serve/serve-tiny.ts";
export { startTiny, type TinyProcess } from "./tiny-process.ts";
