import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();

const job = await training.trainingJobs.get(
  "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43",
);
console.log(job.status, job.error_message ?? "no error");
