/**
 * Teaches a model to end its answers with "please", which it never says: no attempt has a reward, so there is nothing to
 * learn from. A few examples make it say the word sometimes, and its own attempts make it do so always.
 */
import { parseArgs } from "node:util";
import { createTrainingClient, modelName } from "@trainyard/training";
import { gatherGroups, recordTrajectory } from "@trainyard/training/rollouts";
import { meanReward, RewardChart } from "./reward-chart.ts";

const { values: options } = parseArgs({
  options: {
    model: { type: "string", default: "please-1" },
    base: { type: "string", default: "demo/tiny" },
    seed: { type: "string", default: "1" },
    // For the local server: trainyard import artifacts please.jsonl --as <this>
    data: { type: "string", default: "artifact:///harbor/support-desk/please:v1" },
  },
});
const questions = [
  "Is the train on time?",
  "Will it snow tomorrow?",
  "Did they find the key?",
  "Can you help me?",
  "Are the doors closed?",
  "Does it cost more in the evening?",
];
/** Similar questions that the model is not trained on. */
const unseen = [
  "Is this seat free?",
  "Will you come with us?",
  "Did the train leave?",
  "Can I pay with a card?",
];

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: options.model,
  base_model: options.base,
  return_existing: true,
});
let next = Number(options.seed) * 1_000_000;

/** Sixteen attempts at each question, by the model's newest checkpoint. */
const attempt = (asked: readonly string[]) =>
  gatherGroups(
    asked,
    (content, { signal }) =>
      recordTrajectory(training, async (recorded) => {
        const { choices } = await recorded.chat.completions.create(
          {
            model: modelName(model, { step: "latest" }),
            messages: [{ role: "user", content }],
            max_completion_tokens: 32,
            logprobs: true,
            seed: next++,
          },
          { signal },
        );
        return { reward: choices[0]?.message.content?.endsWith("please") ? 1 : 0 };
      }),
    { attempts: 16, concurrency: 1 },
  );

console.log(`before: ${meanReward(await attempt(questions)).toFixed(3)}`);
const examples = await training.trainingJobs.createSft({
  model_id: model.id,
  training_data_url: options.data,
});
await training.trainingJobs.wait(examples.id, { pollMs: 100 });

const chart = new RewardChart("ends with please");
for (let step = 1; step <= 10; step++) {
  const groups = await attempt(questions);
  chart.add(meanReward(groups));
  const job = await training.trainingJobs.createRl({
    model_id: model.id,
    trajectory_groups: groups,
  });
  await training.trainingJobs.wait(job.id, { pollMs: 100 });
}
chart.add(meanReward(await attempt(questions)));
console.log(
  `questions it was not trained on: ${meanReward(await attempt(unseen)).toFixed(3)}`,
);
