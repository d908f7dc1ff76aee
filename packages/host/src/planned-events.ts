import { foldChat, StreamError, type ChatChunk, type ChatDelta, type ChatLogprobs } from "@trainyard/core/chat";
import { isObject, memberAt } from "@trainyard/core/validation";
import { wantsStream, type Operation } from "@trainyard/document";
import type { PlannedAnswer, PlannedToolCall } from "./planned-faults.ts";
import type { CommonHeaders } from "./response.ts";
import { eventHeaders, streamEvents } from "./streams.ts";

/**
 * Creates the response of a plan with events or a chat: a stream if the request asks for one.
 *
 * @param sent the body of the request
 * @returns the response, or a sentence that says why there is none
 */
export function plannedEvents(
  operation: Operation,
  plan: PlannedAnswer,
  sent: unknown,
  common: CommonHeaders,
): Response | string {
  const { stream, name } = operation;
  const { status = 200, chunks = [] } = plan;
  const isChat = stream?.fold === "chat";
  if (wantsStream(operation, sent)) {
    const text = eventText(isChat ? chatChunks(plan, sent) : chunks, stream?.end);
    const headers = { ...common, ...eventHeaders };
    return new Response(streamEvents(text), { status, headers });
  }
  const body = isChat ? chatAnswer(plan, sent) : undefined;
  if (body === undefined) return `The response planned for ${name} is a stream, but the request does not ask for one.`;
  return new Response(JSON.stringify(body), { status, headers: { ...common, "Content-Type": "application/json" } });
}

/** Events in wire format: strings unchanged, anything else as JSON, then the end marker. */
function eventText(chunks: readonly unknown[], end: string | undefined): string {
  const data = chunks.map((chunk) => (typeof chunk === "string" ? chunk : JSON.stringify(chunk)));
  const lines = (text: string) => text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return [...data, ...(end === undefined ? [] : [end])].map((text) => `${lines(text).join("")}\n`).join("");
}

/**
 * The chunks of a planned chat, as a service sends them for this request: with its model, and with log probabilities and
 * usage if it requests them. Its choices are alike, and their chunks alternate. Each piece of text counts as one token, and
 * so does each message of the conversation. If a plan contains complete chunks, they are sent unchanged.
 */
function chatChunks(
  { chunks = [], toolCalls = [], finishReason, usage: counts }: PlannedAnswer,
  body: unknown,
): unknown[] {
  if (!chunks.every((chunk) => typeof chunk === "string")) return [...chunks];
  const request = isObject(body) ? body : {};
  const head = {
    id: `chatcmpl-${crypto.randomUUID().slice(0, 8)}`,
    object: "chat.completion.chunk",
    created: Math.trunc(Date.now() / 1000),
    model: typeof request["model"] === "string" ? request["model"] : "planned",
  };
  const n = Number(request["n"] ?? 1);
  const chunksOf = (delta: ChatDelta, finish_reason: string | null, logprobs?: ChatLogprobs): ChatChunk[] =>
    Array.from({ length: n }, (_, index) => ({
      ...head,
      choices: [{ index, delta, ...(logprobs && { logprobs }), finish_reason }],
    }));
  const pieces: ChatDelta[] = [...chunks.map((content) => ({ content })), ...toolCalls.flatMap(toolCallDeltas)];
  const written = pieces.flatMap((piece, index) => {
    const delta = index === 0 ? { role: "assistant" as const, ...piece } : piece;
    const isToken = request["logprobs"] === true && typeof piece.content === "string";
    return chunksOf(delta, null, isToken ? { content: [certain(piece.content ?? "")] } : undefined);
  });
  const end = chunksOf({}, finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop"));
  const messages = Array.isArray(request["messages"]) ? request["messages"].length : 0;
  const { prompt_tokens = messages, completion_tokens = pieces.length * n } = counts ?? {};
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, ...counts };
  return [
    ...written,
    ...end,
    ...(memberAt(request, ["stream_options", "include_usage"]) === true ? [{ ...head, choices: [], usage }] : []),
  ];
}

/** The same as one answer; undefined if the chunks do not complete it. */
function chatAnswer(plan: PlannedAnswer, body: unknown): unknown {
  const folding = foldChat();
  const request = isObject(body) ? body : {};
  const whole = { ...request, stream_options: { include_usage: true } };
  try {
    for (const chunk of chatChunks(plan, whole)) folding.add(chunk as ChatChunk);
    return folding.value();
  } catch (error) {
    if (error instanceof StreamError) return undefined;
    throw error;
  }
}

/** A tool call in two chunks: the name, then the arguments. */
function toolCallDeltas(call: PlannedToolCall, index: number): ChatDelta[] {
  const { name, id = `call_${index + 1}` } = call;
  const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {});
  return [
    { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
    { tool_calls: [{ index, function: { arguments: text } }] },
  ];
}

/** A token without alternatives. */
function certain(token: string): NonNullable<ChatLogprobs["content"]>[number] {
  return { token, bytes: [...new TextEncoder().encode(token)], logprob: 0, top_logprobs: [] };
}
