/**
 * A model learns a game of several turns: it guesses a number from 1 to 7, gets the hint "higher" or "lower", and has three
 * guesses. The best first guess is 4, which nobody tells the model. `--svg guesses.svg` draws how often it wins.
 */
import { parseArgs } from "node:util";
import { createTrainingClient, modelName, type Message } from "@trainyard/training";
import { gatherGroups, recordTrajectory } from "@trainyard/training/rollouts";
import { meanReward, RewardChart } from "./reward-chart.ts";

const { values: options } = parseArgs({
  options: {
    model: { type: "string", default: "guess-1" },
    base: { type: "string", default: "demo/tiny" },
    steps: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    svg: { type: "string" },
  },
});
const numbers = [1, 2, 3, 4, 5, 6, 7];
const guesses = 3;
const steps = Number(options.steps);

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: options.model,
  base_model: options.base,
  return_existing: true,
});
// Each run has its own keys, so the program can be run again.
const run = crypto.randomUUID();
const chart = new RewardChart("won within three guesses", { file: options.svg });

for (let step = 0; ; step++) {
  const groups = await gatherGroups(
    [0, 1, 2, 3, 4, 5],
    (group, { attempt, signal }) => play({ step, group, attempt, signal }),
    { attempts: 56, concurrency: 16 },
  );
  chart.add(meanReward(groups));
  await training.models.log(model.id, {
    split: "train",
    trajectory_groups: groups,
  });
  if (step === steps) break;
  const job = await training.trainingJobs.createRl(
    {
      model_id: model.id,
      trajectory_groups: groups,
      // The penalty holds the model near the untrained one, and falls to 0. Without it, the model becomes certain of its
      // first guess before it can use the hints, and with any first guess but 4 it cannot win for one of the numbers.
      experimental_config: {
        kl_penalty_coef: 0.5 * (1 - step / steps),
        kl_penalty_reference_step: 0,
      },
    },
    { idempotencyKey: `${run}-${step}` },
  );
  await training.trainingJobs.wait(job.id, { pollMs: 100 });
}

interface Game {
  readonly step: number;
  readonly group: number;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** One game, as one trajectory. In a group, each number occurs equally often. */
function play({ step, group, attempt, signal }: Game) {
  const secret = 1 + (attempt % numbers.length);
  return recordTrajectory(training, async (recorded) => {
    const messages: Message[] = [
      { role: "user", content: "I am thinking of a number from 1 to 7. Guess it." },
    ];
    for (let turn = 1; turn <= guesses; turn++) {
      const { choices } = await recorded.chat.completions.create(
        {
          model: modelName(model, { step: "latest" }),
          messages,
          max_completion_tokens: 4,
          logprobs: true,
          // Each answer has its own seed, so the whole run can be repeated.
          seed: [step, group, attempt, turn].reduce(
            (all, one) => all * 60 + one,
            Number(options.seed),
          ),
        },
        { signal },
      );
      const content = choices[0]?.message.content ?? "";
      const guess = Number(content);
      if (guess === secret)
        return { reward: 1, metrics: { won: true, turns: turn } };
      let hint = "Say a number from 1 to 7.";
      if (numbers.includes(guess)) hint = guess < secret ? "higher" : "lower";
      messages.push(
        { role: "assistant", content },
        { role: "user", content: hint },
      );
    }
    return { reward: 0, metrics: { won: false } };
  });
}
