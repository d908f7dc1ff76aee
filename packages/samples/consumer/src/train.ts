import {
  type Checkpoint,
  createTrainingClient,
  type TrainingJob,
  type Trajectory,
} from "@trainyard/training";

const training = createTrainingClient();

/** One answer to a task, with its reward. */
export interface Attempt {
  readonly question: string;
  readonly answer: string;
  readonly score: number;
}

/** Trains a model on attempts at a task, and returns a summary. */
export async function train(
  name: string,
  attempts: readonly Attempt[],
): Promise<string> {
  const model = await training.models.create({
    project: "support-desk",
    name,
    base_model: "demo/tiny",
  });
  const groups = [{ trajectories: attempts.map(toTrajectory) }];
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
  for await (const checkpoint of training.models.checkpoints.list(model.id, {
    order: "desc",
  })) {
    return summarize(job, checkpoint);
  }
  return summarize(job);
}

function toTrajectory({ question, answer, score }: Attempt): Trajectory {
  const message = { role: "assistant", content: answer } as const;
  return {
    messages_and_choices: [
      { role: "user", content: question },
      { index: 0, finish_reason: "stop", message },
    ],
    reward: score,
    metrics: { words: answer.split(" ").length },
  };
}

function summarize(job: TrainingJob, newest?: Checkpoint): string {
  const state =
    job.status === "failed" ? `failed: ${job.error_message}` : job.status;
  return `${state}, at step ${newest?.step ?? 0} with a reward of ${newest?.metrics["train/reward"] ?? "nothing"}`;
}
