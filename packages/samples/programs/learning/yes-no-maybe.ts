/**
 * A model learns to answer "maybe". Ten times, it answers questions, each answer gets a reward, and a job makes the better
 * answers to each question more probable. `--svg rewards.svg` draws the rewards.
 */
import { parseArgs } from "node:util";
import { createTrainingClient } from "@trainyard/training";
import { answer, questions, unseen } from "./questions.ts";
import { meanReward, RewardChart } from "./reward-chart.ts";

const { values: options } = parseArgs({
  options: {
    model: { type: "string", default: "maybe-1" },
    base: { type: "string", default: "demo/tiny" },
    steps: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    svg: { type: "string" },
  },
});

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: options.model,
  base_model: options.base,
  return_existing: true,
});
const chart = new RewardChart("yes, no or maybe", { file: options.svg });
// Each run has its own keys, so the program can be run again.
const run = crypto.randomUUID();
const round = Number(options.seed) * 100;

const before = meanReward(await answer(training, model, unseen, round));
for (let step = 1; step <= Number(options.steps); step++) {
  const groups = await answer(training, model, questions, round + step);
  chart.add(meanReward(groups));
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
chart.add(meanReward(await answer(training, model, questions, round)));
const after = meanReward(await answer(training, model, unseen, round));
console.log(
  `questions it was not trained on: ${before.toFixed(3)} → ${after.toFixed(3)}`,
);
