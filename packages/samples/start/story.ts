/** A few calls with the generated clients: from a new model to one that has learned something. */
import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { createInferenceClient } from "@trainyard/inference";
import type { LocalServer } from "@trainyard/server";
import { createTrainingClient, type Message } from "@trainyard/training";
import { show } from "./show.ts";
import { tellTraining } from "./training.ts";

const project = "support-desk";
const question: Message = {
  role: "user",
  content: "Does the 9:40 to Bergen carry bicycles?",
};

/** Makes the calls one after the other, and shows requests and responses. */
export async function tellStory(server: LocalServer): Promise<void> {
  const training = createTrainingClient(server.connect("training"));
  const inference = createInferenceClient(server.connect("inference"));
  const auxiliary = createAuxiliaryClient(server.connect("auxiliary"));

  const agent = { project, name: "agent-2", base_model: "demo/tiny" };
  const model = await training.models.create(agent);
  show({
    title: "Create a model",
    call: "training.models.create(body)",
    request: agent,
    answer: model,
  });

  const chat = {
    model: "demo/tiny",
    messages: [question],
    max_tokens: 12,
    seed: 1,
  };
  const completion = await inference.chat.completions.create(chat);
  show({
    title: "The model answers a question",
    call: "inference.chat.completions.create(body)",
    request: chat,
    answer: completion,
    lines: 14,
  });

  const rewards = [1, 0.5];
  const trajectories = completion.choices.flatMap((choice) =>
    rewards.map((reward) => ({ messages_and_choices: [question, choice], reward })),
  );
  const log = { split: "val", trajectory_groups: [{ trajectories }] };
  const logged = await training.models.log(model.id, log);
  show({
    title: "Log what it did",
    call: "training.models.log(model.id, body)",
    request: log,
    answer: logged,
    lines: 8,
  });

  const { data } = await training.models.checkpoints.list(model.id);
  show({
    title: "Read the metrics",
    call: "training.models.checkpoints.list(model.id)",
    answer: data,
  });

  const day = {
    project_id: `harbor/${project}`,
    start: "2026-11-04T06:00:00Z",
    end: "2026-11-04T12:00:00Z",
    granularity: 10_800,
    metrics: [
      {
        json_path: "output.score",
        aggregations: ["avg" as const],
        percentiles: [95],
      },
    ],
  };
  const stats = await auxiliary.feedback.stats(day);
  show({
    title: "Count the feedback of a morning",
    call: "auxiliary.feedback.stats(body)",
    request: day,
    answer: stats,
    lines: 30,
  });

  await tellTraining(training, model);
}
