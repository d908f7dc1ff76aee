import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();

// For the same model and data,
// the service returns the existing job.
const job = await training.trainingJobs.createSft({
  model_id: "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30",
  training_data_url:
    "artifact:///harbor/support-desk/conversations:v3",
  config: { batch_size: "auto" },
});
console.log(job.id, job.status);
