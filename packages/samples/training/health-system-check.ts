import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();

const check = await training.health.systemCheck();
for (const part of [
  "database",
  "cpu_queue",
  "gpu_queue",
] as const) {
  console.log(
    part,
    check[part].success ? "up" : check[part].error,
  );
}
