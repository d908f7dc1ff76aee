import { TrainyardError } from "@trainyard/core";
import type { TrainingFailedEvent } from "../generated/schema.ts";

/**
 * A training job failed: its last event is `training_failed`.
 *
 * What to do: read `errorMessage` and the events before it. The model keeps its last checkpoint.
 */
export class TrainingFailedError extends TrainyardError {
  override get name(): "TrainingFailedError" {
    return "TrainingFailedError";
  }
  /** The id of the job. */
  readonly jobId: string;
  /** Why it failed: the message of the service. */
  readonly errorMessage: string;
  /** The event; `undefined` if `after` was this event. */
  readonly event: TrainingFailedEvent | undefined;

  constructor(
    facts: Pick<TrainyardError, "operation" | "attempts">,
    jobId: string,
    errorMessage: string,
    event?: TrainingFailedEvent,
  ) {
    super(`the training job ${jobId} failed: ${errorMessage}`, facts);
    this.jobId = jobId;
    this.errorMessage = errorMessage;
    this.event = event;
  }
}
