/** Teaches a model ten answers: asks it before and after a job that trains on a file of conversations. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  createTrainingClient,
  modelName,
  type AssistantMessage,
  type UserMessage,
} from "@trainyard/training";

const { values: options } = parseArgs({
  options: {
    model: { type: "string", default: "timetable-1" },
    base: { type: "string", default: "demo/tiny" },
    // For the local server: trainyard import artifacts timetable.jsonl --as <this>
    data: {
      type: "string",
      default: "artifact:///harbor/support-desk/timetable:v1",
    },
  },
});
const file = new URL("timetable.jsonl", import.meta.url);
const lessons = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line): { messages: [UserMessage, AssistantMessage] } => JSON.parse(line));

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: options.model,
  base_model: options.base,
  return_existing: true,
});

const before = await right();
const job = await training.trainingJobs.createSft({
  model_id: model.id,
  training_data_url: options.data,
});
for await (const { type, data } of training.trainingJobs.follow(job.id, {
  pollMs: 100,
})) {
  if (type === "gradient_step") console.log("loss", data["loss"]?.toFixed(4));
}
const after = await right();
console.log(
  `right answers: ${before} of ${lessons.length} → ${after} of ${lessons.length}`,
);

/** How many of its most likely answers are correct. */
async function right(): Promise<number> {
  let count = 0;
  for (const { messages } of lessons) {
    const [question, expected] = messages;
    const { choices } = await training.chat.completions.create({
      model: modelName(model, { step: "latest" }),
      messages: [question],
      temperature: 0,
      max_completion_tokens: 40,
    });
    if (choices[0]?.message.content === expected.content) count++;
  }
  return count;
}
