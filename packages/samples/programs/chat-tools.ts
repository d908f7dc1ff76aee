import {
  createInferenceClient,
  isFunctionCall,
  type ChatMessage,
  type FunctionTool,
} from "@trainyard/inference";

const inference = createInferenceClient();
const model = "demo/tiny";
const nextDepartures: FunctionTool = {
  type: "function",
  function: {
    name: "next_departures",
    description: "The next departures of a station.",
    parameters: {
      type: "object",
      properties: {
        station: { type: "string", examples: ["Voss", "Finse"] },
        limit: { type: "integer", minimum: 1, maximum: 5 },
      },
      required: ["station"],
    },
  },
};

const messages: ChatMessage[] = [
  { role: "user", content: "When does the next train leave Voss?" },
];
for (let turn = 0; turn < 4; turn++) {
  const { choices } = await inference.chat.completions.create({
    model,
    messages,
    tools: [nextDepartures],
  });
  const message = choices[0]?.message;
  if (message === undefined) throw new Error("The response has no choice.");
  messages.push(message);
  if (!message.tool_calls?.length) break;

  for (const call of message.tool_calls.filter(isFunctionCall)) {
    console.log("asked for", call.function.name, call.function.arguments);
    const content = JSON.stringify([{ to: "Bergen", at: "09:31", track: 2 }]);
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
}
console.log(messages.at(-1)?.content);
