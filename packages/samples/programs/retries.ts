import {
  AbortError,
  createTrainingClient,
  TimeoutError,
} from "@trainyard/training";

const training = createTrainingClient({
  // One attempt, body included. Without it, each operation has its own limit.
  timeoutMs: 30_000,
  // Two more attempts after a failure that allows it: the default.
  maxRetries: 2,
  logLevel: "off",
});

// With a key it may be sent again: the answer is the same model.
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

// A call ends early by its signal: here at once, elsewhere when a person leaves.
try {
  await training.models.delete(model.id, { signal: AbortSignal.abort() });
} catch (error) {
  if (!(error instanceof AbortError || error instanceof TimeoutError)) throw error;
  console.log(error.name, "after", error.attempts, "attempts");
}
