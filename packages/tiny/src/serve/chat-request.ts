import type { ChatCompletionRequest } from "@trainyard/inference";
import { refuse, refuseFault, type Refusal } from "@trainyard/host";
import { renderPrompt } from "../model/conversation.ts";
import { UnreadableMessage } from "../model/unreadable-message.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import { plainSettings, type SampleSettings } from "../sampling/settings.ts";

/** A request for a completion, as far as the model understands it. */
export interface ChatRequest {
  readonly model: string;
  readonly prompt: Uint16Array;
  readonly settings: SampleSettings;
  readonly choices: number;
  readonly isStream: boolean;
  readonly includeUsage: boolean;
  readonly logprobs: boolean;
}

/** The longest answer, in tokens. */
const longest = plainSettings.maxTokens;

/**
 * Reads a request that the document allows. What the model has no use for is left aside: `tools` that it need not call, `user`,
 * `reasoning_effort`.
 *
 * @returns why it is refused, where it asks for what the model cannot do
 */
export function readChatRequest(body: ChatCompletionRequest): ChatRequest | Refusal<400> {
  const { model, stream_options: streamOptions } = body;
  const impossible = impossibleForm(body) ?? impossibleBias(body);
  if (impossible !== undefined) return impossible;
  const logprobs = body.logprobs === true;
  const top = body.top_logprobs ?? 0;
  if (top > 0 && !logprobs) return refuseFault(400, ["body", "top_logprobs"], "This needs logprobs: true.");
  const prompt = promptOf(body.messages);
  if ("refusal" in prompt) return prompt;
  const limit = body.max_completion_tokens ?? body.max_tokens ?? longest;
  return {
    model,
    ...prompt,
    settings: {
      temperature: body.temperature ?? 1,
      topP: body.top_p ?? 1,
      frequencyPenalty: body.frequency_penalty ?? 0,
      presencePenalty: body.presence_penalty ?? 0,
      bias: new Map(Object.entries(body.logit_bias ?? {}).map(([token, bias]) => [Number(token), bias])),
      stops: [body.stop ?? []].flat(),
      maxTokens: Math.min(longest, limit),
      seed: body.seed ?? undefined,
      top,
    },
    choices: body.n ?? 1,
    isStream: body.stream === true,
    includeUsage: streamOptions?.include_usage === true,
    logprobs,
  };
}

/** What an answer would have to be, and never is. */
function impossibleForm({ response_format: format, tool_choice: choice }: ChatCompletionRequest) {
  const type = format?.type ?? "text";
  if (type !== "text") {
    const message = `The model writes plain text, not ${type}. Leave response_format out.`;
    return refuseFault(400, ["body", "response_format"], message);
  }
  if (choice === undefined || choice === "none" || choice === "auto") return undefined;
  return refuseFault(400, ["body", "tool_choice"], "The model calls no tools. Leave tool_choice out.");
}

function impossibleBias({ logit_bias: bias }: ChatCompletionRequest) {
  const unknown = Object.keys(bias ?? {}).find((key) => !/^\d+$/.test(key) || Number(key) >= vocabularySize);
  if (unknown === undefined) return undefined;
  return refuseFault(400, ["body", "logit_bias", unknown], "Tokens are the bytes 0 to 255, and 256 for the end.");
}

function promptOf(messages: ChatCompletionRequest["messages"]): { prompt: Uint16Array } | Refusal<400> {
  try {
    return { prompt: renderPrompt(messages) };
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    const faults = [{ loc: ["body", "messages", ...error.path], msg: error.message, type: "value_error" as const }];
    return refuse(400, error.message, { faults, code: "invalid_value" });
  }
}
