/**
 * A typed client of the inference service: chat completions and the models that answer them.
 *
 * @module
 */
export * from "@trainyard/core";
export { isFunctionCall, withoutNulls, type WithoutNulls } from "@trainyard/core/chat";
export * from "./generated/client.ts";
export type * from "./generated/schema.ts";
