import {
  createTrainingClient,
  modelName,
} from "@trainyard/training";

const training = createTrainingClient();
const model = modelName(
  {
    entity: "harbor",
    project: "support-desk",
    name: "agent-1",
  },
  { step: "latest" },
);

const { choices } = await training.chat.completions.create({
  model,
  messages: [
    {
      role: "user",
      content: "Does the 9:40 to Bergen carry bicycles?",
    },
  ],
});
console.log(choices[0]?.message.content);
