import {
  StreamError,
  type ChatMessage,
  type InferenceClient,
} from "@trainyard/inference";

const tools = [{ type: "function" as const, function: { name: "departures" } }];
const next: Record<string, string> = {
  Voss: "9:31",
  Myrdal: "10:12",
  Finse: "10:40",
};

/** A small agent as the program under test: it runs tools until the model answers. */
export async function ask(
  inference: InferenceClient,
  question: string,
): Promise<string> {
  const messages: ChatMessage[] = [{ role: "user", content: question }];
  for (;;) {
    const request = { model: "demo/tiny", messages, tools, stream: true as const };
    const stream = await inference.chat.completions.create(request);
    let text = "";
    try {
      for await (const { choices } of stream)
        text += choices[0]?.delta.content ?? "";
    } catch (error) {
      if (error instanceof StreamError)
        return `${text.trim()} … (the connection broke)`;
      throw error;
    }
    const [choice] = (await stream.final()).choices;
    if (!choice?.message.tool_calls?.length) return text;
    messages.push(choice.message);
    for (const call of choice.message.tool_calls) {
      if (call.type !== "function") continue;
      const { station } = JSON.parse(call.function.arguments);
      messages.push({
        role: "tool",
        tool_call_id: call.id,
        content: `${station} ${next[station]}`,
      });
    }
  }
}
