import { createInferenceClient } from "@trainyard/inference";

const inference = createInferenceClient({
  baseUrl: process.env["TRAINYARD_INFERENCE_URL"],
  apiKey: process.env["TRAINYARD_API_KEY"],
});

const question = "Does the 9:40 to Bergen carry bicycles?";
const { choices } = await inference.chat.completions.create({
  model: "demo/tiny",
  messages: [{ role: "user", content: question }],
});
console.log(choices[0]?.message.content);
