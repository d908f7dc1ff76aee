import type { PageServer } from "@trainyard/server/page";
import { createTrainingClient, modelName } from "@trainyard/training";
import { gatherGroups, recordTrajectory } from "@trainyard/training/rollouts";
import { story } from "trainyard:story";
import type { FromWorker, LearnSettings } from "../protocol.ts";
import { learnTasks, lessonsTask, type LearnTask } from "./tasks.ts";

export interface LearnParts {
  readonly server: PageServer;
  /** The settings of the next round: they may change between two rounds. */
  readonly settings: () => LearnSettings;
  readonly post: (message: FromWorker) => void;
}

/** How many calls are in progress at once. */
const concurrency = 16;

/**
 * Trains a new model: in each round the model answers, each answer gets a reward, and a job trains on the differences
 * between better and worse answers.
 */
export async function learn({ server, settings, post }: LearnParts): Promise<void> {
  const training = createTrainingClient(server.connect("training"));
  const first = settings();
  const task = taskOf(first.task);
  const name = `${first.task}-${crypto.randomUUID().slice(0, 8)}`;
  const model = await training.models.create({ project: "in-this-page", name, base_model: "demo/tiny" });
  const steps = task.rounds;
  for (let step = 0; ; step++) {
    post({ kind: "learning", run: model.id, step, steps });
    const { attempts, kl, learningRate } = settings();
    const penalty = kl * (1 - step / steps);
    const groups = await gatherGroups(
      task.prompts.entries(),
      ([index, prompt], { attempt, signal }) =>
        recordTrajectory(training, async (recorded) => {
          let text = "";
          let turn = 0;
          const reward = await task.attempt(prompt, attempt, async (messages) => {
            const { choices } = await recorded.chat.completions.create(
              {
                model: modelName(model, { step: "latest" }),
                messages,
                max_completion_tokens: task.tokens,
                logprobs: true,
                // Each answer has a seed of its own, so that a run can be repeated.
                seed: [step, index, attempt, turn++].reduce((all, one) => all * 100 + one, first.seed),
              },
              { signal },
            );
            text = choices[0]?.message.content ?? "";
            return text;
          });
          post({ kind: "rollout", step, prompt, text, reward });
          return { reward };
        }),
      { attempts, concurrency },
    );
    await training.models.log(model.id, { split: "train", trajectory_groups: groups });
    if (step === steps) return;
    const job =
      task.data === undefined
        ? await training.trainingJobs.createRl({
            model_id: model.id,
            trajectory_groups: groups,
            experimental_config: {
              ...(learningRate !== undefined && { learning_rate: learningRate }),
              ...(penalty > 0 && { kl_penalty_coef: penalty, kl_penalty_reference_step: 0 }),
            },
          })
        : await training.trainingJobs.createSft({ model_id: model.id, training_data_url: task.data });
    await training.trainingJobs.wait(job.id, { pollMs: 50 });
  }
}

/** @throws Error if the task does not exist */
function taskOf(id: string): LearnTask {
  if (id === "lessons") return lessons();
  const task = learnTasks[id];
  if (task === undefined) throw new Error(`There is no task ${id}.`);
  return task;
}

interface Lesson {
  readonly messages: readonly [{ readonly content: string }, { readonly content: string }];
}

const isLesson = (record: object): record is Lesson => "messages" in record;

/** The timetable of the samples, as in the story. */
function lessons(): LearnTask {
  const data = story.find(({ as }) => as?.includes("/timetable:") === true);
  if (data?.as === undefined) throw new Error("There is no timetable in the story.");
  const pairs = data.records
    .filter(isLesson)
    .map(({ messages: [question, answer] }) => [question.content, answer.content] as const);
  return lessonsTask(new Map(pairs), data.as);
}
