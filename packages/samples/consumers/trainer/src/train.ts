import {
  type Checkpoint,
  createTrainingClient,
  type TrajectoryGroup,
} from "@trainyard/training";
import { type Attempt, toTrajectory } from "./attempt.ts";
import { summarize } from "./summary.ts";

const training = createTrainingClient();

/** Trains a model on attempts at several tasks, and returns a summary. */
export async function train(
  name: string,
  tasks: readonly (readonly Attempt[])[],
): Promise<string> {
  const model = await training.models.create({
    project: "support-desk",
    name,
    base_model: "demo/tiny",
  });
  const groups: TrajectoryGroup[] = tasks.map((attempts) => ({
    trajectories: attempts.map(toTrajectory),
  }));
  await training.models.log(model.id, {
    split: "train",
    trajectory_groups: groups,
  });

  const settings = { learning_rate: 1e-5, ppo: true };
  const { id } = await training.trainingJobs.createRl({
    model_id: model.id,
    trajectory_groups: groups,
    experimental_config: settings,
  });
  for await (const event of training.trainingJobs.follow(id)) {
    if (event.type === "training_failed") throw new Error(event.data.error_message);
  }
  const job = await training.trainingJobs.get(id);
  const checkpoints: Checkpoint[] = [];
  for await (const checkpoint of training.models.checkpoints.list(model.id, {
    order: "desc",
  })) {
    checkpoints.push(checkpoint);
  }
  return summarize(job, checkpoints);
}
