import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();

// With a key, a call whose answer was lost is sent again safely.
const model = await training.models.create(
  { project: "support-desk", name: "agent-1", base_model: "demo/tiny" },
  { idempotencyKey: "create-agent-1" },
);
console.log(model.id, model.entity, model.name);
