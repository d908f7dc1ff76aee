/** One call of each kind, as another team would write it: a body, a list, the deep unions, a stream, open keys. */
import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { createInferenceClient } from "@trainyard/inference";
import { createTrainingClient, type Message } from "@trainyard/training";

// Addresses and the key come from TRAINYARD_TRAINING_URL, TRAINYARD_INFERENCE_URL, TRAINYARD_AUXILIARY_URL, TRAINYARD_API_KEY.
const training = createTrainingClient();
const inference = createInferenceClient();
const auxiliary = createAuxiliaryClient();

const model = await training.models.create({
  project: "support-desk",
  name: "agent-1",
  base_model: "demo/tiny",
  return_existing: true,
});
console.log("model", model.id, model.name);

for await (const checkpoint of training.models.checkpoints.list(model.id))
  console.log("checkpoint", checkpoint.step);

const messages: Message[] = [
  { role: "user", content: "Does the 9:40 to Bergen carry bicycles?" },
];
const completion = await inference.chat.completions.create({
  model: "demo/tiny",
  messages,
});
const choice = completion.choices[0];
if (choice === undefined) throw new Error("The response has no choice.");
console.log("answer", choice.message.content);

await training.models.log(model.id, {
  split: "val",
  trajectory_groups: [
    { trajectories: [{ messages_and_choices: [...messages, choice], reward: 1 }] },
  ],
});
console.log("logged");

const stream = await inference.chat.completions.create({
  model: "demo/tiny",
  messages,
  stream: true,
});
for await (const chunk of stream)
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
const final = await stream.final();
console.log("\nstreamed", final.choices.length, "choice");

const stats = await auxiliary.feedback.stats({
  project_id: "harbor/support-desk",
  start: "2026-11-04T00:00:00Z",
});
console.log("buckets", stats.buckets.length);
