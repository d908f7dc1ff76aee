import {
  ConnectionError,
  createTrainingClient,
  NotFoundError,
  RateLimitError,
  TrainyardError,
  UnprocessableError,
} from "@trainyard/training";

const training = createTrainingClient();

try {
  // A page may have 100 items at most.
  await training.models.checkpoints.list("6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30", {
    limit: 500,
  });
} catch (error) {
  if (error instanceof UnprocessableError) {
    for (const { loc, msg } of error.issues) console.log(loc.join("."), msg);
  } else if (error instanceof NotFoundError) {
    console.log("gone, or never there:", error.message);
  } else if (error instanceof RateLimitError) {
    console.log("come back in", error.retryAfterMs, "ms");
  } else if (error instanceof ConnectionError) {
    console.log("not reached:", error.cause);
  } else {
    throw error;
  }
  // What was called, how often it was sent, whether it may have been done all the same.
  if (error instanceof TrainyardError)
    console.log(error.operation, error.attempts, error.outcomeUnknown);
}
