import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();
const jobId = "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43";

for await (const event of training.trainingJobs.events.list(
  jobId,
  {
    limit: 100,
  },
)) {
  if (event.type === "gradient_step")
    console.log("loss", event.data["loss"]);
  else console.log(event.type);
}
