import { createInferenceClient } from "@trainyard/inference";

// From TRAINYARD_INFERENCE_URL and TRAINYARD_API_KEY.
const inference = createInferenceClient();

const question = "Does the 9:40 to Bergen carry bicycles?";
const { choices } = await inference.chat.completions.create({
  model: "demo/tiny",
  messages: [{ role: "user", content: question }],
});
console.log(choices[0]?.message.content);
