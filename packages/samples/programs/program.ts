import { createTrainingClient, type CreateModelRequest } from "@trainyard/training";

// One client for the whole program. Its options apply to each call.
const training = createTrainingClient({ maxRetries: 4 });

// Each schema of the contract is a type.
const request: CreateModelRequest = {
  project: "support-desk",
  name: "agent-1",
  base_model: "demo/tiny",
  return_existing: true,
};
// The last argument of a method has the options of this call.
const model = await training.models.create(request, { timeoutMs: 10_000 });

// A list: the loop requests each page when it needs it.
const checkpoints = training.models.checkpoints.list(model.id);
for await (const { step, metrics } of checkpoints)
  console.log(`step ${step}:`, metrics);
