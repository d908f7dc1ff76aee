import {
  createTrainingClient,
  type Trajectory,
} from "@trainyard/training";

const training = createTrainingClient();

const model = await training.models.create({
  project: "support-desk",
  name: "agent-1",
  base_model: "demo/tiny",
  return_existing: true,
});

const trajectory: Trajectory = {
  messages_and_choices: [
    {
      role: "user",
      content: "When does the next train leave Voss?",
    },
    {
      index: 0,
      finish_reason: "stop",
      message: {
        role: "assistant",
        content: "Voss 9:31, track 2 → Bergen.",
      },
    },
  ],
  reward: 1,
};
await training.models.log(model.id, {
  split: "val",
  trajectory_groups: [{ trajectories: [trajectory] }],
});

const checkpoints = training.models.checkpoints.list(
  model.id,
  {
    order: "desc",
  },
);
for await (const { step, metrics } of checkpoints) {
  console.log(`step ${step}:`, metrics);
}
