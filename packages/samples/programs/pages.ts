import {
  createTrainingClient,
  type Page,
  type TrainingJobEvent,
} from "@trainyard/training";

const training = createTrainingClient();
const jobId = "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43";

// At most three pages. `for await` over the call itself reads all of them.
let page: Page<TrainingJobEvent> | undefined =
  await training.trainingJobs.events.list(jobId, { limit: 2 });
for (let count = 1; page && count <= 3; count++) {
  console.log(`page ${count}:`, page.data.map(({ type }) => type).join(", "));
  page = await page.nextPage();
}
