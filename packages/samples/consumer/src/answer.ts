import { createInferenceClient, type ChatMessage } from "@trainyard/inference";
import { createInferenceHttp } from "@trainyard/inference/http";

const inference = createInferenceClient({ project: "harbor/support-desk" });
const http = createInferenceHttp();

/** Answers a question piece by piece, and returns the whole conversation. */
export async function answer(
  question: string,
  write: (piece: string) => void,
): Promise<ChatMessage[]> {
  const models = await inference.models.list();
  const model = models.data[0]?.id ?? "demo/tiny";
  const messages: ChatMessage[] = [
    { role: "system", content: "You help travelers." },
  ];
  messages.push({ role: "user", content: question });

  const stream = await inference.chat.completions.create({
    model,
    messages,
    stream: true,
  });
  for await (const chunk of stream) write(chunk.choices[0]?.delta.content ?? "");
  const [choice] = (await stream.final()).choices;
  if (choice !== undefined) messages.push(choice.message);
  return messages;
}

/** How many tokens a question uses, with a call by path. */
export async function cost(question: string): Promise<number> {
  const body = {
    model: "demo/tiny",
    messages: [{ role: "user" as const, content: question }],
    max_completion_tokens: 1,
  };
  const { data, error } = await http.POST("/chat/completions", { body });
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data.usage?.["prompt_tokens"] ?? 0;
}
