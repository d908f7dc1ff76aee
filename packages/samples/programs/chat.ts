import { createInferenceClient, type ChatMessage } from "@trainyard/inference";

const inference = createInferenceClient();
const model = "demo/tiny";
const messages: ChatMessage[] = [
  {
    role: "system",
    content: "You help the travelers of a railway. Answer in one sentence.",
  },
  { role: "user", content: "Does the 9:40 to Bergen carry bicycles?" },
];

const first = await inference.chat.completions.create({
  model,
  messages,
  temperature: 0.2,
});
const choice = first.choices[0];
if (choice === undefined) throw new Error("The response has no choice.");
console.log(choice.message.content, `(${first.usage?.total_tokens ?? "?"} tokens)`);

// Send the returned message back unchanged.
messages.push(choice.message, {
  role: "user",
  content: "And what does that cost?",
});
const second = await inference.chat.completions.create({ model, messages });
console.log(second.choices[0]?.message.content);
