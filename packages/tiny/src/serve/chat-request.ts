import type { ChatCompletionRequest } from "@trainyard/inference";
import { refuse, refuseFault, type HostCode, type Refusal } from "@trainyard/host";
import { SchemaError } from "../forms/schema-form.ts";
import { renderPrompt } from "../model/conversation.ts";
import { UnreadableMessage } from "../model/unreadable-message.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import { plainSettings, type SampleSettings } from "../sampling/settings.ts";
import { nameOf, requestedForm, type RequestedForm } from "./requested-form.ts";

/** The fields of a chat request that the model uses. */
export interface ChatRequest {
  readonly model: string;
  /** The time of the response, in milliseconds. */
  readonly now: number;
  readonly prompt: Uint16Array;
  readonly settings: SampleSettings;
  readonly choices: number;
  readonly isStream: boolean;
  readonly includeUsage: boolean;
  readonly logprobs: boolean;
  /** Whether each choice is a tool call. */
  readonly isCall: boolean;
  /** The names of the tools that accept free text. */
  readonly customTools: ReadonlySet<string>;
}

/** The highest value of choices × tokens × (1 + `top_logprobs`) for one request. */
export const mostWork = 131_072;

/** The longest answer, in tokens. */
const longest = plainSettings.maxTokens;

/**
 * Reads a request that the document allows. Fields without a meaning for the model are ignored: `user`,
 * `reasoning_effort`.
 *
 * @returns a refusal if it requires something that the model cannot do
 */
export function readChatRequest(body: ChatCompletionRequest, now: number): ChatRequest | Refusal<400, HostCode> {
  const { model, stream_options: streamOptions } = body;
  const impossible = impossibleBias(body);
  if (impossible !== undefined) return impossible;
  const wanted = formOf(body);
  if ("refusal" in wanted) return wanted;
  const logprobs = body.logprobs === true;
  const top = body.top_logprobs ?? 0;
  if (top > 0 && !logprobs) return refuseFault(400, ["body", "top_logprobs"], "This requires logprobs: true.");
  const prompt = promptOf(body.messages);
  if ("refusal" in prompt) return prompt;
  const maxTokens = Math.min(longest, body.max_completion_tokens ?? body.max_tokens ?? longest);
  const choices = body.n ?? 1;
  const work = choices * maxTokens * (1 + top);
  if (work > mostWork) {
    const excess = `n × tokens × (1 + top_logprobs) is ${choices} × ${maxTokens} × ${1 + top} = ${work}, and at most ${mostWork} here.`;
    return refuseFault(400, ["body", "n"], `${excess} Lower n, max_completion_tokens or top_logprobs.`);
  }
  return {
    model,
    now,
    ...prompt,
    settings: {
      temperature: body.temperature ?? 1,
      topP: body.top_p ?? 1,
      frequencyPenalty: body.frequency_penalty ?? 0,
      presencePenalty: body.presence_penalty ?? 0,
      bias: new Map(Object.entries(body.logit_bias ?? {}).map(([token, bias]) => [Number(token), bias])),
      stops: [body.stop ?? []].flat(),
      maxTokens,
      seed: body.seed ?? undefined,
      top,
      form: wanted.form,
    },
    choices,
    isCall: wanted.isCall,
    customTools: new Set((body.tools ?? []).filter(({ type }) => type === "custom").map(nameOf)),
    isStream: body.stream === true,
    includeUsage: streamOptions?.include_usage === true,
    logprobs,
  };
}

function formOf(body: ChatCompletionRequest): RequestedForm | Refusal<400, HostCode> {
  try {
    return requestedForm(body);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return refuseFault(400, ["body", ...error.path], error.message);
  }
}

function impossibleBias({ logit_bias: bias }: ChatCompletionRequest) {
  const unknown = Object.keys(bias ?? {}).find((key) => !/^\d+$/.test(key) || Number(key) >= vocabularySize);
  if (unknown === undefined) return undefined;
  return refuseFault(400, ["body", "logit_bias", unknown], "Tokens are the bytes 0 to 255, and 256 for the end.");
}

function promptOf(messages: ChatCompletionRequest["messages"]): { prompt: Uint16Array } | Refusal<400, HostCode> {
  try {
    return { prompt: renderPrompt(messages) };
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    const faults = [{ loc: ["body", "messages", ...error.path], msg: error.message, type: "value_error" as const }];
    return refuse(400, error.message, { faults, code: "invalid_value" });
  }
}
