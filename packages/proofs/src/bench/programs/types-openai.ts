/** A program like `types-trainyard.ts`, six calls in all, for the compiler to check. It is never run. */
import OpenAI, { NotFoundError } from "openai";

const client = new OpenAI();

export async function run(): Promise<number> {
  const model = await client.models.retrieve("demo/tiny");
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "user", content: "Does the 9:40 to Bergen carry bicycles?" },
  ];
  const stream = await client.chat.completions.create({ model: model.id, messages, stream: true });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  const choice = (await client.chat.completions.create({ model: model.id, messages })).choices[0];
  if (choice === undefined) return text.length;
  messages.push(choice.message);
  let steps = 0;
  for await (const one of client.models.list()) steps += one.created;
  try {
    const job = await client.fineTuning.jobs.create({ model: model.id, training_file: "file-1" });
    await client.files.retrieve("file-1");
    return job.id.length + steps;
  } catch (error) {
    if (error instanceof NotFoundError) return error.status;
    throw error;
  }
}
