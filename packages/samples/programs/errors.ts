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
  // The limit of a page is 100 items.
  await training.models.checkpoints.list("6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30", {
    limit: 500,
  });
} catch (error) {
  if (error instanceof UnprocessableError) {
    for (const { loc, msg } of error.issues) console.log(loc.join("."), msg);
  } else if (error instanceof NotFoundError) {
    console.log("does not exist:", error.message);
  } else if (error instanceof RateLimitError) {
    console.log("retry in", error.retryAfterMs, "ms");
  } else if (error instanceof ConnectionError) {
    console.log("no connection:", error.cause);
  } else {
    throw error;
  }
  // The method, the number of attempts, and whether the service may have done it.
  if (error instanceof TrainyardError)
    console.log(error.operation, error.attempts, error.outcomeUnknown);
}
