/**
 * A model learns to answer "maybe". Ten times, it answers questions, each answer gets a reward, and a job makes the better
 * answers to each question more probable.
 */
import { parseArgs } from "node:util";
import { createTrainingClient } from "@trainyard/training";
import { answer, meanReward, questions, unseen } from "./questions.ts";

const { values: options } = parseArgs({
  options: {
    model: { type: "string", default: "maybe-1" },
    base: { type: "string", default: "demo/tiny" },
    steps: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
  },
});

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: options.model,
  base_model: options.base,
  return_existing: true,
});
// Each run has its own keys, so the program can be run again.
const run = crypto.randomUUID();
const round = Number(options.seed) * 100;

const before = meanReward(await answer(training, model, unseen, round));
for (let step = 1; step <= Number(options.steps); step++) {
  const groups = await answer(training, model, questions, round + step);
  print(step - 1, meanReward(groups));
  await training.models.log(model.id, {
    split: "train",
    trajectory_groups: groups,
  });
  const job = await training.trainingJobs.createRl(
    { model_id: model.id, trajectory_groups: groups },
    { idempotencyKey: `${run}-${step}` },
  );
  await training.trainingJobs.wait(job.id, { pollMs: 100 });
}
print(
  Number(options.steps),
  meanReward(await answer(training, model, questions, round)),
);
const after = meanReward(await answer(training, model, unseen, round));
console.log(
  `questions it was not trained on: ${before.toFixed(3)} → ${after.toFixed(3)}`,
);

/** Prints the mean reward of a step as a bar. */
function print(step: number, reward: number): void {
  const bar = "█".repeat(Math.round(reward * 50)).padEnd(50, "░");
  console.log(`${String(step).padStart(4)} ${bar} ${reward.toFixed(3)}`);
}
