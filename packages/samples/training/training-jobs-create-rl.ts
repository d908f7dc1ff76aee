import {
  createTrainingClient,
  type TrajectoryGroup,
} from "@trainyard/training";

const training = createTrainingClient();
const question = {
  role: "user" as const,
  content: "When does the next train leave Voss?",
};
const answer = (content: string) => ({
  index: 0,
  finish_reason: "stop" as const,
  message: { role: "assistant" as const, content },
});

// A group has attempts at one task.
// Training compares their rewards.
const group: TrajectoryGroup = {
  trajectories: [
    {
      messages_and_choices: [
        question,
        answer("At 09:31, from track 2."),
      ],
      reward: 1,
    },
    {
      messages_and_choices: [
        question,
        answer("I do not know."),
      ],
      reward: 0,
    },
  ],
};
const job = await training.trainingJobs.createRl(
  {
    model_id: "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30",
    trajectory_groups: [group],
    experimental_config: {
      learning_rate: 1e-5,
      // These answers were written by hand. Those that a
      // model sampled with `logprobs: true` do not need it.
      allow_training_without_logprobs: true,
    },
  },
  { idempotencyKey: "agent-1-rl-1" },
);
console.log(job.id, job.status);
