/** Messages and choices of the `openai` package go into our calls, and ours into its. */
import type OpenAI from "openai";
import {
  withoutNulls,
  type ChatMessage,
  type Choice,
  type FunctionTool,
  type Message,
  type MessageOrChoice,
  type TrainingClient,
} from "../src/index.ts";

declare const openai: OpenAI;
declare const training: TrainingClient;

// Theirs into ours.
declare const theirMessages: OpenAI.ChatCompletionMessageParam[];
declare const theirChoice: OpenAI.ChatCompletion.Choice;
declare const theirTools: OpenAI.ChatCompletionFunctionTool[];
await training.chat.completions.create({ model: "demo/tiny", messages: theirMessages, tools: theirTools });
declare const allTheirTools: OpenAI.ChatCompletionTool[];
await training.chat.completions.create({ model: "demo/tiny", messages: theirMessages, tools: allTheirTools });
await training.models.log("id", {
  split: "val",
  trajectory_groups: [{ trajectories: [{ messages_and_choices: [...theirMessages, theirChoice], tools: theirTools }] }],
});
const item: MessageOrChoice = theirChoice;

// Ours into theirs.
declare const ourMessages: ChatMessage[];
declare const ourPlainMessages: Message[];
declare const ourTools: FunctionTool[];
await openai.chat.completions.create({ model: "demo/tiny", messages: ourPlainMessages, tools: ourTools });
await openai.chat.completions.create({
  model: "demo/tiny",
  messages: ourMessages.map((message) => (message.role === "assistant" ? withoutNulls(message) : message)),
});
// @ts-expect-error: an answer may hold `tool_calls: null`, which the `openai` package's types do not take
await openai.chat.completions.create({ model: "demo/tiny", messages: ourMessages });

// What came back goes on, across the border and on this side of it.
const { choices } = await training.chat.completions.create({ model: "demo/tiny", messages: ourMessages });
const theirs: OpenAI.ChatCompletion.Choice["message"]["content"] | undefined = choices[0]?.message.content ?? null;
for (const choice of choices) {
  ourMessages.push(choice.message);
  const logged: MessageOrChoice = choice;
  const again: Choice = choice;
  void [logged, again];
}
choices.sort((a, b) => a.index - b.index);
void [item, theirs];
