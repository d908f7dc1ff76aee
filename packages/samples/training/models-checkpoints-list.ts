import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();
const modelId = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

// `for await` requests page after page; `await` returns one page.
for await (const checkpoint of training.models.checkpoints.list(modelId, {
  order: "desc",
})) {
  console.log(`step ${checkpoint.step}:`, checkpoint.metrics);
}
