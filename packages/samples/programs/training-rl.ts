import { createTrainingClient, modelName } from "@trainyard/training";
import { gatherGroups, recordTrajectory } from "@trainyard/training/rollouts";

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: "agent-1",
  base_model: "demo/tiny",
  return_existing: true,
});

// 1. Rollouts: four attempts at each task, each with a reward.
const tasks = [
  "Does the 9:40 to Bergen carry bicycles?",
  "When does the next train leave Voss?",
];
const groups = await gatherGroups(tasks, (content, { signal }) =>
  recordTrajectory(training, async (recorded) => {
    const { choices } = await recorded.chat.completions.create(
      {
        model: modelName(model, { step: "latest" }),
        messages: [{ role: "user", content }],
        // Training needs the probability with which each token was sampled.
        logprobs: true,
      },
      { signal },
    );
    return choices[0]?.message.content?.includes("ticket") ? 1 : 0;
  }),
);

// 2. A job trains on the groups. With a key, a retry creates no second job.
const job = await training.trainingJobs.createRl(
  {
    model_id: model.id,
    trajectory_groups: groups,
    experimental_config: { learning_rate: 1e-5 },
  },
  { idempotencyKey: `agent-1-rl-${Date.now()}` },
);

// 3. Yields each event once, until the job ends. Throws TrainingFailedError if it fails.
for await (const event of training.trainingJobs.follow(job.id)) {
  console.log(event.type, event.type === "gradient_step" ? event.data : "");
}

// 4. The new checkpoint.
const checkpoint = await training.trainingJobs.wait(job.id);
console.log("chat with", modelName(model, { step: checkpoint.step }));
