/** A program that uses each client, six calls in all, for the compiler to check. It is never run. */
import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { createInferenceClient } from "@trainyard/inference";
import { createTrainingClient, type Message, NotFoundError } from "@trainyard/training";

const training = createTrainingClient();
const inference = createInferenceClient();
const auxiliary = createAuxiliaryClient();

export async function run(): Promise<number> {
  const model = await training.models.create({ project: "support-desk", name: "agent-1", base_model: "demo/tiny" });
  const messages: Message[] = [{ role: "user", content: "Does the 9:40 to Bergen carry bicycles?" }];
  const stream = await inference.chat.completions.create({ model: model.id, messages, stream: true });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  const choice = (await inference.chat.completions.create({ model: model.id, messages })).choices[0];
  if (choice === undefined) return text.length;
  const trajectory = { messages_and_choices: [...messages, choice], reward: 1 };
  await training.models.log(model.id, { split: "val", trajectory_groups: [{ trajectories: [trajectory] }] });
  let steps = 0;
  for await (const checkpoint of training.models.checkpoints.list(model.id)) steps += checkpoint.step;
  try {
    const stats = await auxiliary.feedback.stats({ project_id: "harbor/support-desk", start: "2026-11-04T00:00:00Z" });
    return stats.buckets.length + steps;
  } catch (error) {
    if (error instanceof NotFoundError) return error.status;
    throw error;
  }
}
