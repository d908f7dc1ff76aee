/** Messages and choices go over the border between our client and the `openai` package, and arrive as they were. */
import OpenAI from "openai";
import { expect, it } from "vitest";
import { createInferenceClient, withoutNulls, type ChatMessage } from "../src/index.ts";

const answer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_793_783_730,
  model: "demo/tiny",
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      logprobs: null,
      message: {
        role: "assistant",
        content: null,
        refusal: null,
        annotations: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "next_departures", arguments: "{}" } }],
      },
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};

/** Both clients, at a service that answers the same each time and keeps what it was sent. */
function clients() {
  const sent: { messages: unknown[] }[] = [];
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    if (typeof init?.body !== "string") throw new Error("Both clients send a body of text.");
    sent.push(JSON.parse(init.body));
    return Response.json(answer);
  };
  const baseUrl = "http://inference.test/v1";
  return {
    sent,
    ours: createInferenceClient({ baseUrl, apiKey: "a-key", fetch }),
    theirs: new OpenAI({ baseURL: baseUrl, apiKey: "a-key", fetch }),
  };
}

it("accepts the messages and responses of the openai package", async () => {
  const { sent, ours, theirs } = clients();
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "user", content: [{ type: "text", text: "When does the next train leave Voss?" }] },
  ];
  const { choices } = await theirs.chat.completions.create({ model: "demo/tiny", messages });
  if (choices[0]) messages.push(choices[0].message);
  await ours.chat.completions.create({ model: "demo/tiny", messages });
  expect(sent[1]?.messages).toEqual([messages[0], answer.choices[0]?.message]);
});

it("returns messages and responses that the openai package accepts", async () => {
  const { sent, ours, theirs } = clients();
  const messages: ChatMessage[] = [{ role: "user", content: "When does the next train leave Voss?" }];
  const { choices } = await ours.chat.completions.create({ model: "demo/tiny", messages });
  if (choices[0]) messages.push(choices[0].message);
  await theirs.chat.completions.create({
    model: "demo/tiny",
    messages: messages.map((message) => (message.role === "assistant" ? withoutNulls(message) : message)),
  });
  const { role, tool_calls } = answer.choices[0]?.message ?? {};
  expect(sent[1]?.messages).toEqual([messages[0], { role, tool_calls }]);
});
