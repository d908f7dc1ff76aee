/**
 * A model learns to answer "maybe": ten times, it answers questions, each answer gets a reward, and a job trains on what set
 * the better answers of a question apart. `--svg rewards.svg` draws the rewards.
 */
import { parseArgs } from "node:util";
import { createTrainingClient, modelName } from "@trainyard/training";
import { gatherGroups, recordTrajectory } from "@trainyard/training/rollouts";
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

const questions = [
  "Will the 9:40 to Bergen be late?",
  "Does it snow in Voss tonight?",
  "Is there a seat by the window?",
  "Can I bring my bicycle?",
  "Is the kiosk in Myrdal open?",
  "Will the ferry wait for us?",
  "Does the night train have a café?",
  "Are dogs allowed on board?",
  "Is platform two the right one?",
  "Can I change my ticket?",
  "Will there be a bus instead?",
  "Is it warm in the waiting room?",
];
/** Asked before and after, and never trained on. */
const unseen = [
  "Is the lift out of order?",
  "Will the conductor come by?",
  "Does the train stop at Finse?",
  "Can we sit together?",
];
const rewards: Record<string, number> = { yes: 0.5, no: 0.75, maybe: 1 };

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: options.model,
  base_model: options.base,
  return_existing: true,
});
const chart = new RewardChart("yes, no or maybe", { file: options.svg });

const before = meanReward(await attempt(unseen));
for (let step = 1; step <= Number(options.steps); step++) {
  const groups = await attempt(questions, step);
  chart.add(meanReward(groups));
  await training.models.log(model.id, {
    split: "train",
    trajectory_groups: groups,
  });
  const job = await training.trainingJobs.createRl(
    { model_id: model.id, trajectory_groups: groups },
    { idempotencyKey: `${model.id}-${options.seed}-${step}` },
  );
  await training.trainingJobs.wait(job.id, { pollMs: 100 });
}
chart.add(meanReward(await attempt(questions)));
const after = meanReward(await attempt(unseen));
console.log(
  `questions it was not trained on: ${before.toFixed(3)} → ${after.toFixed(3)}`,
);

/** Eight answers to each question, by the newest checkpoint. */
function attempt(asked: readonly string[], step = 0) {
  return gatherGroups(
    asked.entries(),
    ([place, content], { attempt, signal }) =>
      recordTrajectory(training, async (recorded) => {
        const { choices } = await recorded.chat.completions.create(
          {
            model: modelName(model, { step: "latest" }),
            messages: [{ role: "user", content: `${content} Yes, no or maybe?` }],
            max_completion_tokens: 8,
            logprobs: true,
            // Each answer has a seed of its own, and the whole run can be repeated.
            seed:
              ((Number(options.seed) * 100 + step) * 100 + place) * 100 + attempt,
          },
          { signal },
        );
        const answer = choices[0]?.message.content?.trim().toLowerCase() ?? "";
        return { reward: rewards[answer] ?? 0 };
      }),
    { attempts: 8, concurrency: 16 },
  );
}
