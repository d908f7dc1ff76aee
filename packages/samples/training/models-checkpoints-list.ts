import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();
const modelId = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

const checkpoints = training.models.checkpoints.list(
  modelId,
  { order: "desc" },
);
// `for await` requests page after page,
// and `await` returns one page.
for await (const { step, metrics } of checkpoints) {
  console.log(`step ${step}:`, metrics);
}
