import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionDelta,
  ChatCompletionUsage,
  TokenLogprob,
} from "@trainyard/inference";
import { end } from "../model/vocabulary.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { logprobEntry } from "../sampling/logprob-entry.ts";
import { sample } from "../sampling/sample.ts";
import type { ChatRequest } from "./chat-request.ts";
import { CallReader, type CallPiece } from "./call-reader.ts";

/** A new piece of an answer: a part of the text or of the tool call of one choice, or its end. */
interface Piece {
  readonly index: number;
  readonly text: string;
  readonly call?: CallPiece | undefined;
  /** Of the tokens of the piece. */
  readonly logprobs: readonly TokenLogprob[];
  /** Set on the last piece of a choice. */
  readonly finished?: { readonly reason: "stop" | "length" | "tool_calls"; readonly count: number };
}

/** Samples the choices of an answer, one after the other. */
async function* piecesOf(model: TinyModel, request: ChatRequest, signal: AbortSignal): AsyncGenerator<Piece> {
  for (let index = 0; index < request.choices; index++) {
    // A character may consist of several tokens. Bytes that never form one are shown as U+FFFD.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const calls = request.isCall ? new CallReader() : undefined;
    const tokens = sample(model, request.prompt, request.settings, index);
    for (let next = tokens.next(); ; next = tokens.next()) {
      // Other requests get their turn after each token, and who has left is heard of.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      if (next.done === true) {
        const { reason, count } = next.value;
        const finished = { reason: calls?.isWhole === true ? ("tool_calls" as const) : reason, count };
        yield { index, text: decoder.decode(), logprobs: [], finished };
        break;
      }
      const { token } = next.value;
      const text = token === end ? "" : decoder.decode(Uint8Array.of(token), { stream: true });
      const logprobs = request.logprobs ? [logprobEntry(next.value)] : [];
      yield calls === undefined ? { index, text, logprobs } : { index, text: "", call: calls.push(text), logprobs };
    }
  }
}

/** A whole completion. */
export async function completionOf(
  model: TinyModel,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatCompletion> {
  const choices: ChatCompletion["choices"] = [];
  let count = 0;
  let content = "";
  let logprobs: TokenLogprob[] = [];
  let call: Record<"id" | "name" | "arguments", string> | undefined;
  for await (const { index, text, call: part, logprobs: entries, finished } of piecesOf(model, request, signal)) {
    content += text;
    if (part?.begins !== undefined) call = { ...part.begins, arguments: "" };
    if (call !== undefined) call.arguments += part?.arguments ?? "";
    logprobs.push(...entries);
    if (finished === undefined) continue;
    choices.push({
      index,
      finish_reason: finished.reason,
      message: request.isCall
        ? { role: "assistant", content: null, ...(call && { tool_calls: [toolCall(request, call)] }) }
        : { role: "assistant", content },
      ...(request.logprobs && { logprobs: { content: logprobs } }),
    });
    count += finished.count;
    content = "";
    call = undefined;
    logprobs = [];
  }
  return { ...headOf(request), object: "chat.completion", choices, usage: usageOf(request, count) };
}

/** The same completion as a stream of chunks. */
export async function* chunksOf(
  model: TinyModel,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatCompletionChunk> {
  const head = { ...headOf(request), object: "chat.completion.chunk" as const };
  const usage = request.includeUsage ? { usage: null } : {};
  let count = 0;
  let begun = -1;
  for await (const { index, text, call, logprobs, finished } of piecesOf(model, request, signal)) {
    if (index > begun) {
      const delta = { role: "assistant" as const, content: request.isCall ? null : "" };
      yield { ...head, ...usage, choices: [{ index, delta, finish_reason: null }] };
      begun = index;
    }
    if (text !== "" || call?.begins !== undefined || call?.arguments !== undefined || logprobs.length > 0) {
      const shown = logprobs.length > 0 && { logprobs: { content: [...logprobs] } };
      const delta = request.isCall ? callDelta(request, call) : { content: text };
      yield { ...head, ...usage, choices: [{ index, delta, finish_reason: null, ...shown }] };
    }
    if (finished === undefined) continue;
    yield { ...head, ...usage, choices: [{ index, delta: {}, finish_reason: finished.reason }] };
    count += finished.count;
  }
  if (request.includeUsage) yield { ...head, choices: [], usage: usageOf(request, count) };
}

function toolCall(
  { customTools }: ChatRequest,
  { id, name, arguments: written }: Record<"id" | "name" | "arguments", string>,
) {
  return customTools.has(name)
    ? { id, type: "custom" as const, custom: { name, input: written } }
    : { id, type: "function" as const, function: { name, arguments: written } };
}

function callDelta(request: ChatRequest, call: CallPiece | undefined): ChatCompletionDelta {
  if (call?.begins !== undefined) {
    return { tool_calls: [{ index: 0, ...toolCall(request, { ...call.begins, arguments: "" }) }] };
  }
  if (call?.arguments === undefined) return {};
  const { arguments: written, name } = call;
  const piece = request.customTools.has(name) ? { custom: { input: written } } : { function: { arguments: written } };
  return { tool_calls: [{ index: 0, ...piece }] };
}

function headOf({ model, now }: ChatRequest): Pick<ChatCompletion, "id" | "created" | "model"> {
  return { id: `chatcmpl-${crypto.randomUUID().replaceAll("-", "")}`, created: Math.floor(now / 1000), model };
}

function usageOf({ prompt }: ChatRequest, count: number): ChatCompletionUsage {
  return { prompt_tokens: prompt.length, completion_tokens: count, total_tokens: prompt.length + count };
}
