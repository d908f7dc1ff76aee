import {
  createTrainingClient,
  isLogResult,
  type TrajectoryGroup,
} from "@trainyard/training";

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: "agent-1",
  base_model: "demo/tiny",
  return_existing: true,
});

const question = {
  role: "user" as const,
  content: "When does the next train leave Voss?",
};
const attempt = (content: string, reward: number, seconds: number) => ({
  messages_and_choices: [
    question,
    {
      index: 0,
      finish_reason: "stop" as const,
      message: { role: "assistant" as const, content },
    },
  ],
  reward,
  // Metrics of your own: numbers, or booleans that count as 0 and 1.
  metrics: { seconds, found_train: reward > 0 },
  metadata: { station: "Voss" },
});

// A group has several attempts at one task, and the errors of failed ones.
const group: TrajectoryGroup = {
  trajectories: [
    attempt("At 09:31, from track 2.", 1, 1.8),
    attempt("I do not know.", 0, 0.9),
  ],
  exceptions: [
    { type: "TimeoutError", message: "The model took too long.", traceback: "" },
  ],
};

const result = await training.models.log(
  model.id,
  { split: "val", trajectory_groups: [group] },
  { idempotencyKey: "agent-1-step-2-val" },
);
// The interface does not define this response, so it is `unknown`.
if (isLogResult(result)) {
  for (const [name, value] of Object.entries(result.metrics))
    console.log(name, value.toFixed(3));
}

// The metrics are added to the newest checkpoint.
const [newest] = (
  await training.models.checkpoints.list(model.id, { order: "desc", limit: 1 })
).data;
console.log(`step ${newest?.step}:`, newest?.metrics);
