import { createInferenceClient, type ChatMessage } from "@trainyard/inference";

const inference = createInferenceClient();

const messages: ChatMessage[] = [
  { role: "user", content: "Does the 9:40 to Bergen carry bicycles?" },
];
const stream = await inference.chat.completions.create({
  model: "demo/tiny",
  messages,
  stream: true,
  // Without this, a stream does not contain the number of tokens.
  stream_options: { include_usage: true },
});
for await (const chunk of stream)
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");

// The whole response: its message can be sent back unchanged.
const { choices, usage } = await stream.final();
if (choices[0]) messages.push(choices[0].message);
console.log(`\n${usage?.total_tokens ?? 0} tokens, ${messages.length} messages`);
