import { createTrainingClient } from "@trainyard/training";
import OpenAI from "openai";

// The same service, with the openai package.
const openai = new OpenAI({
  baseURL: process.env["TRAINYARD_INFERENCE_URL"],
  apiKey: process.env["TRAINYARD_API_KEY"],
  project: "harbor/support-desk",
});
const question = {
  role: "user" as const,
  content: "Does the 9:40 to Bergen carry bicycles?",
};
const { choices } = await openai.chat.completions.create({
  model: "demo/tiny",
  messages: [question],
});
const choice = choices[0];
if (choice === undefined) throw new Error("The response has no choice.");
console.log(choice.message.content);

// Its messages and choices can be used in a trajectory unchanged.
const training = createTrainingClient();
await training.models.log("6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30", {
  split: "val",
  trajectory_groups: [
    { trajectories: [{ messages_and_choices: [question, choice], reward: 1 }] },
  ],
});
