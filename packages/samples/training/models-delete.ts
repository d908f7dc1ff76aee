import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: "scratch",
  base_model: "demo/tiny",
  return_existing: true,
});

const deleted = await training.models.delete(model.id);
console.log(
  `deleted with ${deleted.deleted_checkpoints} checkpoints`,
);
