import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();
const modelId = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

const { deleted_count, not_found_steps } =
  await training.models.checkpoints.delete(modelId, {
    steps: [0, 1],
  });
const missing = not_found_steps.join(", ") || "none";
console.log(
  `deleted ${deleted_count}, not there: ${missing}`,
);
