import { type AnyTrainyardError as AnyCoreError, TrainyardError } from "@trainyard/core";
import type { TrainingFailedError } from "./jobs/training-failed-error.ts";

/** Every error of this package, distinguished by its `name`: a misspelled name in a `case` does not compile. */
export type AnyTrainyardError = AnyCoreError | TrainingFailedError;

/** Whether a value is an error of this package, of this copy or another. */
export function isTrainyardError(value: unknown): value is AnyTrainyardError {
  return value instanceof TrainyardError;
}
