/**
 * Three runs of one loop: with a reward for the wanted answer, with a reward that useless answers can get, and with steps
 * that are too large. `--out runs.json` writes the measurements and the first group of eight answers.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  createTrainingClient,
  isChoice,
  modelName,
  type ExperimentalTrainingConfig,
  type TrajectoryGroup,
} from "@trainyard/training";
import {
  gatherGroups,
  recordTrajectory,
  rewardsDiffer,
} from "@trainyard/training/rollouts";
import { meanReward, questions } from "./questions.ts";

const { values: options } = parseArgs({
  options: {
    steps: { type: "string", default: "8" },
    base: { type: "string", default: "demo/tiny" },
    out: { type: "string" },
  },
});

interface Run {
  readonly name: string;
  readonly reward: (answer: string) => number;
  readonly config?: ExperimentalTrainingConfig;
}

const worth: Record<string, number> = { yes: 0.5, no: 0.75, maybe: 1 };
const wanted = (answer: string) => worth[answer] ?? 0;
const runs: readonly Run[] = [
  { name: "as-wanted", reward: wanted },
  // The wish: "do not be so curt". The reward: the longer, the better, up to twelve characters.
  { name: "reward-hacking", reward: (answer) => Math.min(answer.length, 12) / 12 },
  // Thirty times the default rate of the trainer.
  { name: "collapse", reward: wanted, config: { learning_rate: 300 } },
];

const training = createTrainingClient();
const run = crypto.randomUUID();
const measured: object[] = [];
let first: TrajectoryGroup | undefined;

for (const { name, reward, config } of runs) {
  const model = await training.models.create({
    project: "support-desk",
    name: `${name}-${run.slice(0, 8)}`,
    base_model: options.base,
  });
  const steps = [];
  for (let step = 0; step <= Number(options.steps); step++) {
    const answers: string[] = [];
    const groups = await gatherGroups(
      questions.entries(),
      ([place, content], { attempt, signal }) =>
        recordTrajectory(training, async (recorded) => {
          const { choices } = await recorded.chat.completions.create(
            {
              model: modelName(model, { step: "latest" }),
              messages: [{ role: "user", content: `${content} Yes, no or maybe?` }],
              max_completion_tokens: 12,
              logprobs: true,
              seed: (step * 100 + place) * 100 + attempt,
            },
            { signal },
          );
          const answer = choices[0]?.message.content?.trim().toLowerCase() ?? "";
          answers.push(answer);
          return {
            reward: reward(answer),
            metrics: { useful: answer === "maybe" },
          };
        }),
      { attempts: 8, concurrency: 16 },
    );
    const share = (test: (answer: string) => boolean) =>
      answers.filter(test).length / answers.length;
    const alike = groups.filter(
      ({ trajectories }) =>
        !rewardsDiffer(trajectories.map(({ reward }) => reward ?? 0)),
    );
    steps.push({
      reward: meanReward(groups),
      yes: share((answer) => answer === "yes"),
      no: share((answer) => answer === "no"),
      maybe: share((answer) => answer === "maybe"),
      equal_groups: alike.length / groups.length,
      most_frequent: mostFrequent(answers),
    });
    console.log(name, step, steps.at(-1));
    first ??= groups[0];
    // `trainyard marks` says if the useful answers become fewer while the reward rises.
    await training.models.log(model.id, {
      split: "train",
      trajectory_groups: groups,
    });
    if (step === Number(options.steps)) break;
    const job = await training.trainingJobs.createRl(
      {
        model_id: model.id,
        trajectory_groups: groups,
        experimental_config: config ?? null,
      },
      { idempotencyKey: `${run}-${name}-${step}` },
    );
    await training.trainingJobs.wait(job.id, { pollMs: 50 });
  }
  measured.push({ name, steps });
}
if (options.out !== undefined) {
  const group = first?.trajectories.map(
    ({ messages_and_choices: said = [], reward }) => {
      const choice = said.find(isChoice);
      const tokens = choice?.logprobs?.content?.map(({ logprob }) => logprob) ?? [];
      return { answer: choice?.message.content, reward, logprobs: tokens };
    },
  );
  const question = `${questions[0]} Yes, no or maybe?`;
  writeFileSync(options.out, JSON.stringify({ question, group, runs: measured }));
}

function mostFrequent(answers: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? "";
}
