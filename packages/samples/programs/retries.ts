import {
  AbortError,
  createTrainingClient,
  TimeoutError,
} from "@trainyard/training";

const training = createTrainingClient({
  // For one attempt, including the body. Without it, each operation has its own limit.
  timeoutMs: 30_000,
  // At most two retries: the default.
  maxRetries: 2,
  logLevel: "off",
});

// With a key, the client may retry: it gets the same model.
const model = await training.models.create(
  {
    project: "support-desk",
    name: "agent-1",
    base_model: "demo/tiny",
    return_existing: true,
  },
  { idempotencyKey: "create-agent-1", totalTimeoutMs: 60_000 },
);
console.log(model.name);

// A signal aborts a call. Here it does so at once.
try {
  await training.models.delete(model.id, { signal: AbortSignal.abort() });
} catch (error) {
  if (!(error instanceof AbortError || error instanceof TimeoutError)) throw error;
  console.log(error.name, "after", error.attempts, "attempts");
}
