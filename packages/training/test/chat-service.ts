import OpenAI from "openai";
import { createTrainingClient, type ChatCompletionRequest, type Choice, type TrainingClient } from "../src/index.ts";

/** What one request is answered with: texts or choices, a stream of them where it asks for one. */
export type Reply = string | Partial<Choice["message"]> | Response | readonly string[];

export interface ChatService {
  readonly ours: TrainingClient;
  readonly theirs: OpenAI;
  readonly requests: ChatCompletionRequest[];
}

/** A service that answers chats with these replies in turn, and then repeats the last one. Both clients can call it. */
export function chatService(...replies: Reply[]): ChatService {
  const requests: ChatCompletionRequest[] = [];
  const answer = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const request: ChatCompletionRequest = JSON.parse(typeof init?.body === "string" ? init.body : "");
    const reply = replies[Math.min(requests.length, replies.length - 1)] ?? "";
    requests.push(request);
    init?.signal?.throwIfAborted();
    if (reply instanceof Response) return reply.clone();
    const messages = (Array.isArray(reply) ? reply : [reply]).map((one) =>
      typeof one === "string" ? { content: one } : one,
    );
    return request.stream
      ? streamed(messages)
      : Response.json({ ...head, object: "chat.completion", choices: messages.map(choice) });
  };
  return {
    requests,
    ours: createTrainingClient({ baseUrl: "http://chat.test", apiKey: "a-key", fetch: answer, maxRetries: 0 }),
    theirs: new OpenAI({ baseURL: "http://chat.test/v1", apiKey: "a-key", fetch: answer, maxRetries: 0 }),
  };
}

const head = { id: "c", created: 1, model: "demo/tiny" };

/** A choice as the service answers it. */
export function choice(message: Partial<Choice["message"]>, index = 0): Choice {
  const { tool_calls } = message;
  return {
    index,
    finish_reason: tool_calls ? "tool_calls" : "stop",
    logprobs: null,
    message: { role: "assistant", content: null, refusal: null, ...message },
  };
}

/** Each character in a chunk of its own, then why it ended, then the usage. */
function streamed(messages: readonly Partial<Choice["message"]>[]): Response {
  const chunks = messages.flatMap(({ content, tool_calls }, index) => [
    { index, delta: { role: "assistant" } },
    ...(content ?? "").split("").map((text) => ({ index, delta: { content: text } })),
    ...(tool_calls ?? []).map((call, callIndex) => ({ index, delta: { tool_calls: [{ index: callIndex, ...call }] } })),
    { index, delta: {}, finish_reason: tool_calls ? "tool_calls" : "stop" },
  ]);
  const events = [...chunks.map((one) => [one]), []].map((choices) => ({
    ...head,
    object: "chat.completion.chunk",
    choices,
  }));
  const text = [...events.map((one) => JSON.stringify(one)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}
