import type { Choice } from "@trainyard/inference";
import { renderPrompt } from "../src/model/conversation.ts";
import type { TinyModel } from "../src/model/tiny-model.ts";
import { end } from "../src/model/vocabulary.ts";
import { logprobEntry } from "../src/sampling/logprob-entry.ts";
import { sample, type SampledToken } from "../src/sampling/sample.ts";
import { plainSettings } from "../src/sampling/settings.ts";

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
