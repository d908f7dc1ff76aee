import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();
const jobId = "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43";

// All events. The client requests the next page when the loop needs it.
let last = "";
for await (const { id, type } of training.trainingJobs.events.list(jobId)) {
  console.log(type);
  last = id;
  if (type === "training_started") break;
}

// Later, or in another process: what comes after that event, two on a page.
const query = { after: last, limit: 2 };
for await (const { type } of training.trainingJobs.events.list(jobId, query))
  console.log("then", type);
