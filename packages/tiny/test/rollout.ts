import type { ChatCompletionRequest, Choice } from "@trainyard/inference";
import { renderPrompt } from "../src/model/conversation.ts";
import type { TinyModel } from "../src/model/tiny-model.ts";
import { end } from "../src/model/vocabulary.ts";
import { logprobEntry } from "../src/sampling/logprob-entry.ts";
import { sample, type SampledToken } from "../src/sampling/sample.ts";
import { plainSettings } from "../src/sampling/settings.ts";
import { completionOf } from "../src/serve/answer.ts";
import { readChatRequest } from "../src/serve/chat-request.ts";

/** A choice with its text. */
export type Answer = Choice & { readonly message: { readonly content: string } };

/** What chat would answer with, without a server. */
export function answer(
  model: TinyModel,
  messages: readonly unknown[],
  seed: number,
  temperature = 1,
  maxTokens = 64,
): Answer {
  const sampled: SampledToken[] = [];
  const sampling = sample(model, renderPrompt(messages), { ...plainSettings, maxTokens, seed, temperature });
  let next = sampling.next();
  for (; next.done !== true; next = sampling.next()) sampled.push(next.value);
  const bytes = sampled.map(({ token }) => token).filter((token) => token !== end);
  return {
    index: 0,
    finish_reason: next.value.reason,
    message: { role: "assistant", content: new TextDecoder().decode(Uint8Array.from(bytes)), refusal: null },
    logprobs: { content: sampled.map(logprobEntry), refusal: null },
  };
}

/** The first choice of what the chat server answers with, and its text: a tool call is `name(arguments)`. */
export async function respond(
  model: TinyModel,
  body: Omit<ChatCompletionRequest, "model">,
): Promise<{ choice: Choice; text: string }> {
  const request = readChatRequest({ max_completion_tokens: 64, logprobs: true, ...body, model: "demo/tiny" }, 0);
  if ("refusal" in request) throw new Error(JSON.stringify(request));
  const [choice] = (await completionOf(model, request, new AbortController().signal)).choices;
  if (choice === undefined) throw new Error("An answer has a choice.");
  const [call] = choice.message.tool_calls ?? [];
  const called = call?.type === "function" ? `${call.function.name}(${call.function.arguments})` : "";
  return { choice, text: choice.message.content ?? called };
}
