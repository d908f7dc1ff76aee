import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();

// With a key, the client can retry safely when a response
// is lost. With `return_existing`, a model that already
// has this name is returned.
const model = await training.models.create(
  {
    project: "support-desk",
    name: "agent-1",
    base_model: "demo/tiny",
    return_existing: true,
  },
  { idempotencyKey: "create-agent-1" },
);
console.log(model.id, model.entity, model.name);
