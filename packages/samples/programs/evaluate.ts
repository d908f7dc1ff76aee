/** Compares two checkpoints at tasks that the model was not trained on. */
import { createTrainingClient } from "@trainyard/training";
import {
  compare,
  evaluate,
  type EvaluationAttempt,
} from "@trainyard/training/evaluation";
import { recordTrajectory } from "@trainyard/training/rollouts";

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: "evaluated-1",
  base_model: "demo/tiny",
  return_existing: true,
});
const tasks = [
  "Is it far?",
  "Will it rain?",
  "Do I need a coat?",
  "Can we walk?",
  "Are we late?",
].map((question) => ({
  id: question,
  question,
}));

function rollout(
  { question: content }: (typeof tasks)[number],
  { model: name, seed, signal }: EvaluationAttempt,
) {
  return recordTrajectory(training, async (recorded) => {
    const { choices } = await recorded.chat.completions.create(
      {
        model: name,
        messages: [{ role: "user", content }],
        max_completion_tokens: 8,
        seed,
      },
      { signal },
    );
    return { reward: choices[0]?.message.content === "maybe" ? 1 : 0 };
  });
}

// The same seeds for both. Here, both steps are the same one, so no difference is shown.
const options = { training, model, tasks, attempts: 8, seed: 1, rollout };
const before = await evaluate({ ...options, step: 0, split: null });
const after = await evaluate({ ...options, step: 0, split: null });
console.log(
  "pass@4",
  before.passAt[4],
  "mean",
  before.mean,
  "exceptions",
  before.exceptionRate,
);
const { verdict, why } = compare(before, after);
console.log(`${verdict}: ${why}`);
