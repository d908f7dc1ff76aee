import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();

for (const name of await training.models.listBase())
  console.log(name);
