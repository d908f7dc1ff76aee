/** The end of the story: what a model answers gets rewards, a job trains on them, and it answers better. */
import { styleText } from "node:util";
import { modelName, type Model, type TrainingClient } from "@trainyard/training";
import { gatherGroups, recordTrajectory, type GatheredGroup } from "@trainyard/training/rollouts";

const questions = [
  "Will the 9:40 to Bergen be late?",
  "Does it snow in Voss tonight?",
  "Is there a seat by the window?",
  "Can I bring my bicycle?",
  "Is the kiosk in Myrdal open?",
  "Are dogs allowed on board?",
];
const attempts = 8;
const rewards: Readonly<Record<string, number>> = { yes: 0.5, no: 0.75, maybe: 1 };

/** Trains the model with one job, whose events are printed as they come. */
export async function tellTraining(training: TrainingClient, model: Model): Promise<void> {
  console.log(`\n${styleText("bold", "It learns")}  a reward of 0.5 for yes, 0.75 for no, 1 for maybe`);
  const groups = await rollouts(training, model);
  tellReward("before", groups);
  const job = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups });
  console.log(styleText("cyan", "  await training.trainingJobs.createRl({ model_id, trajectory_groups })"));
  for await (const { type, data } of training.trainingJobs.follow(job.id, { pollMs: 50 })) {
    const { loss, reward } = { loss: undefined, reward: undefined, ...data };
    const told = type === "gradient_step" ? { loss, reward } : type === "training_started" ? data : {};
    const numbers = Object.entries(told).map(([name, value]) => `${name} ${Math.round(Number(value) * 1000) / 1000}`);
    console.log(`    ${type.padEnd(17)} ${numbers.join("  ")}`);
  }
  tellReward("after", await rollouts(training, model));
}

function tellReward(when: string, groups: readonly GatheredGroup[]): void {
  const all = groups.flatMap(({ trajectories }) => trajectories.map(({ reward = 0 }) => reward));
  const mean = all.reduce((sum, reward) => sum + reward, 0) / all.length;
  const bar = "█".repeat(Math.round(mean * 30)).padEnd(30, "░");
  console.log(`  mean reward ${when.padEnd(6)} ${bar} ${styleText("bold", mean.toFixed(2))}  of ${all.length} answers`);
}

function rollouts(training: TrainingClient, model: Model): Promise<GatheredGroup[]> {
  const name = modelName(model, { step: "latest" });
  return gatherGroups(
    questions.entries(),
    ([place, question], { attempt, signal }) =>
      recordTrajectory(training, async (recorded) => {
        const { choices } = await recorded.chat.completions.create(
          {
            model: name,
            messages: [{ role: "user", content: `${question} Yes, no or maybe?` }],
            max_completion_tokens: 8,
            logprobs: true,
            seed: 1 + place * attempts + attempt,
          },
          { signal },
        );
        return { reward: rewards[choices[0]?.message.content?.trim().toLowerCase() ?? ""] ?? 0 };
      }),
    { attempts },
  );
}
