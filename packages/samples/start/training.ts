/** The last calls: answers of a model get rewards, a job trains on them, and the answers become better. */
import { styleText } from "node:util";
import { answer, meanReward, questions } from "../programs/learning/questions.ts";
import type { Model, TrainingClient, TrajectoryGroup } from "@trainyard/training";

/** Selects the seeds of the answers, so that answers before and after the job differ only by what was learned. */
const round = 100;

/** Trains the model with one job, and prints its events as they arrive. Both rounds of answers are logged for the console. */
export async function tellTraining(
  training: TrainingClient,
  model: Model,
): Promise<void> {
  console.log(
    `\n${styleText("bold", "Train it")}  The reward is 0.5 for yes, 0.75 for no, 1 for maybe`,
  );
  const groups = await answer(training, model, questions, round);
  tellReward("before", groups);
  await training.models.log(model.id, {
    split: "train",
    trajectory_groups: groups,
  });
  const job = await training.trainingJobs.createRl({
    model_id: model.id,
    trajectory_groups: groups,
  });
  console.log(
    styleText(
      "cyan",
      "  await training.trainingJobs.createRl({ model_id, trajectory_groups })",
    ),
  );
  for await (const event of training.trainingJobs.follow(job.id, { pollMs: 50 })) {
    const data =
      event.type === "gradient_step"
        ? { loss: event.data["loss"], reward: event.data["reward"] }
        : event.type === "training_started"
          ? event.data
          : {};
    const numbers = Object.entries(data).map(
      ([name, value]) => `${name} ${Math.round(Number(value) * 1000) / 1000}`,
    );
    console.log(`    ${event.type.padEnd(17)} ${numbers.join("  ")}`);
  }
  const after = await answer(training, model, questions, round);
  tellReward("after", after);
  await training.models.log(model.id, { split: "train", trajectory_groups: after });
}

function tellReward(when: string, groups: readonly TrajectoryGroup[]): void {
  const mean = meanReward(groups);
  const bar = "█".repeat(Math.round(mean * 30)).padEnd(30, "░");
  const count = groups.reduce(
    (sum, { trajectories }) => sum + trajectories.length,
    0,
  );
  console.log(
    `  mean reward ${when.padEnd(6)} ${bar} ${styleText("bold", mean.toFixed(2))}  of ${count} answers`,
  );
}
