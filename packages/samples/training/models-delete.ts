import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();

const deleted = await training.models.delete(
  "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30",
);
console.log(`${deleted.deleted_checkpoints} checkpoints went with it`);
