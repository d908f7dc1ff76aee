import { createInferenceClient } from "@trainyard/inference";

const inference = createInferenceClient({
  project: "harbor/support-desk",
});

const completion = await inference.chat.completions.create({
  model: "demo/tiny",
  messages: [
    {
      role: "user",
      content: "Does the 9:40 to Bergen carry bicycles?",
    },
  ],
});
console.log(completion.choices[0]?.message.content);
