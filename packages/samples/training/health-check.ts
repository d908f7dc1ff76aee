import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();

const { status } = await training.health.check();
console.log(status);
