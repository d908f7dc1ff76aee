import { setImmediate } from "node:timers/promises";
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest, Choice } from "@trainyard/inference";
import type { ChatCall } from "../backend.ts";
import { generate, tokenLogprobs, type Generation } from "./generate.ts";
import { sampleArguments } from "./sample-arguments.ts";
import { countTokens } from "./vocabulary.ts";

/** What a conversation is answered with, before it is written as one piece or as a stream. */
export interface Answer {
  readonly completion: ChatCompletion;
  readonly chunks: readonly ChatCompletionChunk[];
}

/** The whole answer of the built-in model. The same request gets the same one. */
export async function answerOf({ model, request, now, signal }: ChatCall): Promise<Answer> {
  const prompt = JSON.stringify([model.name, request.messages, request.tools ?? []]);
  const generations: Generation[] = [];
  for (let index = 0; index < (request.n ?? 1); index++) {
    // Others have their turn between two choices.
    if (index > 0) await setImmediate();
    signal.throwIfAborted();
    generations.push(generate(request, prompt, index));
  }
  const called = forcedCall(request);
  const choices = generations.map((generation, index) => choiceOf(request, generation, index, called));
  const promptTokens = request.messages.reduce((sum, message) => sum + 4 + countTokens(textOf(message)), 0);
  const completionTokens = choices.reduce((sum, choice, index) => {
    const call = choice.message.tool_calls?.[0];
    if (call?.type === "function") return sum + countTokens(`${call.function.name}${call.function.arguments}`);
    return sum + (generations[index]?.tokens.length ?? 0);
  }, 0);
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  const head = {
    id: `chatcmpl-${crypto.randomUUID().replaceAll("-", "")}`,
    created: Math.floor(now / 1000),
    model: request.model,
  };
  const completion: ChatCompletion = { ...head, object: "chat.completion", choices, usage };
  const chunk = (more: Pick<ChatCompletionChunk, "choices" | "usage">): ChatCompletionChunk => ({
    ...head,
    object: "chat.completion.chunk",
    ...more,
  });
  const chunks = choices.flatMap((choice, index) => [
    chunk({ choices: [{ index, delta: { role: "assistant", content: "" }, finish_reason: null }] }),
    ...piecesOf(choice, generations[index]).map((piece) => chunk({ choices: [piece] })),
    chunk({ choices: [{ index, delta: {}, finish_reason: choice.finish_reason }] }),
  ]);
  if (request.stream_options?.include_usage === true) chunks.push(chunk({ choices: [], usage }));
  return { completion, chunks };
}

interface Called {
  readonly name: string;
  readonly arguments: string;
}

function choiceOf(request: ChatCompletionRequest, generation: Generation, index: number, called?: Called): Choice {
  if (called !== undefined) {
    const call = { id: `call_${index}_${called.name}`, type: "function" as const, function: called };
    return { index, finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: [call] } };
  }
  const text = generation.tokens.map((token) => token.text).join("");
  const isJson = request.response_format?.type === "json_object";
  return {
    index,
    finish_reason: generation.reason,
    message: { role: "assistant", content: isJson ? JSON.stringify({ text }) : text },
    ...(request.logprobs === true && !isJson && { logprobs: { content: tokenLogprobs(generation.tokens) } }),
  };
}

function piecesOf(choice: Choice, generation: Generation | undefined): ChatCompletionChunk["choices"] {
  const { index, message, logprobs } = choice;
  const call = message.tool_calls?.[0];
  if (call?.type === "function") {
    return [
      {
        index,
        delta: { tool_calls: [{ index: 0, id: call.id, type: "function", function: call.function }] },
        finish_reason: null,
      },
    ];
  }
  const whole = generation?.tokens.map(({ text }) => text).join("");
  if (message.content !== whole) return [{ index, delta: { content: message.content ?? "" }, finish_reason: null }];
  return (generation?.tokens ?? []).map(({ text }, place) => {
    const entry = logprobs?.content?.[place];
    return { index, delta: { content: text }, finish_reason: null, ...(entry && { logprobs: { content: [entry] } }) };
  });
}

/** The call of a tool, where the request leaves no choice. Of itself the model never calls one. */
function forcedCall({ tools, tool_choice: choice }: ChatCompletionRequest): Called | undefined {
  const name = typeof choice === "object" ? choice.function.name : undefined;
  const tool = choice === "required" ? tools?.[0] : tools?.find((known) => known.function.name === name);
  return (
    tool && { name: tool.function.name, arguments: JSON.stringify(sampleArguments(tool.function.parameters ?? {})) }
  );
}

function textOf(message: ChatCompletionRequest["messages"][number]): string {
  const { content } = message;
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => ("text" in part ? part.text : "")).join("\n");
}
