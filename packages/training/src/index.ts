/**
 * A typed client of the training service: models and checkpoints, logged trajectories, training jobs, chat completions.
 *
 * @module
 */
export * from "@trainyard/core";
export { isFunctionCall, withoutNulls, type WithoutNulls } from "@trainyard/core/chat";
export { type AnyTrainyardError, isTrainyardError } from "./any-error.ts";
export { createTrainingClient, type TrainingClient, type TrainingJobsMethods } from "./client.ts";
export * from "./generated/client.ts";
export type * from "./generated/schema.ts";
export { isChoice, isMessage } from "./guards.ts";
export type { FollowOptions } from "./jobs/follow.ts";
export { TrainingFailedError } from "./jobs/training-failed-error.ts";
export type { WaitOptions } from "./jobs/wait.ts";
export { isLogResult, type LogResult } from "./log-result.ts";
export { modelName, type ModelName, type ModelNameOptions } from "./model-name.ts";
