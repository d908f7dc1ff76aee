import { setImmediate } from "node:timers/promises";
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionUsage, TokenLogprob } from "@trainyard/inference";
import { end } from "../model/vocabulary.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { logprobEntry } from "../sampling/logprob-entry.ts";
import { sample } from "../sampling/sample.ts";
import type { ChatRequest } from "./chat-request.ts";

/** How many tokens one request may sample before others have their turn. */
const slice = 64;

/** What is new in an answer: a piece of the text of one choice, or its end. */
interface Piece {
  readonly index: number;
  readonly text: string;
  /** Of the tokens of the piece. */
  readonly logprobs: readonly TokenLogprob[];
  /** Of the last piece of a choice. */
  readonly finished?: { readonly reason: "stop" | "length"; readonly count: number };
}

/** Samples the choices of an answer, one after the other. */
async function* piecesOf(model: TinyModel, request: ChatRequest, signal: AbortSignal): AsyncGenerator<Piece> {
  let turn = 0;
  for (let index = 0; index < request.choices; index++) {
    // A character may be spread over several tokens; what never becomes one is shown as U+FFFD.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const tokens = sample(model, request.prompt, request.settings, index);
    for (let next = tokens.next(); ; next = tokens.next()) {
      if (++turn % slice === 0) {
        await setImmediate();
        signal.throwIfAborted();
      }
      if (next.done === true) {
        yield { index, text: decoder.decode(), logprobs: [], finished: next.value };
        break;
      }
      const { token } = next.value;
      const text = token === end ? "" : decoder.decode(Uint8Array.of(token), { stream: true });
      yield { index, text, logprobs: request.logprobs ? [logprobEntry(next.value)] : [] };
    }
  }
}

/** A whole answer. */
export async function completionOf(
  model: TinyModel,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatCompletion> {
  const choices: ChatCompletion["choices"] = [];
  let count = 0;
  let content = "";
  let logprobs: TokenLogprob[] = [];
  for await (const { index, text, logprobs: more, finished } of piecesOf(model, request, signal)) {
    content += text;
    logprobs.push(...more);
    if (finished === undefined) continue;
    choices.push({
      index,
      finish_reason: finished.reason,
      message: { role: "assistant", content },
      ...(request.logprobs && { logprobs: { content: logprobs } }),
    });
    count += finished.count;
    content = "";
    logprobs = [];
  }
  return { ...headOf(request), object: "chat.completion", choices, usage: usageOf(request, count) };
}

/** The same answer as a stream of chunks. */
export async function* chunksOf(
  model: TinyModel,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatCompletionChunk> {
  const head = { ...headOf(request), object: "chat.completion.chunk" as const };
  const usage = request.includeUsage ? { usage: null } : {};
  let count = 0;
  let begun = -1;
  for await (const { index, text, logprobs, finished } of piecesOf(model, request, signal)) {
    if (index > begun) {
      yield { ...head, ...usage, choices: [{ index, delta: { role: "assistant", content: "" }, finish_reason: null }] };
      begun = index;
    }
    if (text !== "" || logprobs.length > 0) {
      const told = logprobs.length > 0 && { logprobs: { content: [...logprobs] } };
      yield { ...head, ...usage, choices: [{ index, delta: { content: text }, finish_reason: null, ...told }] };
    }
    if (finished === undefined) continue;
    yield { ...head, ...usage, choices: [{ index, delta: {}, finish_reason: finished.reason }] };
    count += finished.count;
  }
  if (request.includeUsage) yield { ...head, choices: [], usage: usageOf(request, count) };
}

function headOf({ model }: ChatRequest): Pick<ChatCompletion, "id" | "created" | "model"> {
  return { id: `chatcmpl-${crypto.randomUUID().replaceAll("-", "")}`, created: Math.floor(Date.now() / 1000), model };
}

function usageOf({ prompt }: ChatRequest, count: number): ChatCompletionUsage {
  return { prompt_tokens: prompt.length, completion_tokens: count, total_tokens: prompt.length + count };
}
