import type { ChatCompletionRequest } from "@trainyard/inference";
import { refuse, refuseFault, SchemaError, type HostCode, type Refusal } from "@trainyard/host";
import { leastTokens, renderPrompt } from "../model/conversation.ts";
import { UnreadableMessage } from "../model/unreadable-message.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import { plainSettings, type SampleSettings } from "../sampling/settings.ts";
import { nameOf, requestedAnswer, type RequestedAnswer } from "./requested-answer.ts";

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

/** The most tokens of a prompt and its answer together. */
export const contextTokens = 32_768;

/** A request, or why the model cannot do what it requires. */
export type ReadRequest = ChatRequest | Refusal<400, TinyCode>;

/** A code of a refusal of the tiny model. */
type TinyCode = HostCode | "context_length_exceeded";

/** The longest answer, in tokens. */
const longest = plainSettings.maxTokens;

/**
 * Reads a request that the document allows. Fields without a meaning for the model are ignored: `user`,
 * `reasoning_effort`.
 *
 * @returns a refusal if it requires something that the model cannot do
 */
export function readChatRequest(body: ChatCompletionRequest, now: number): ReadRequest {
  const { model, stream_options: streamOptions } = body;
  const impossible = impossibleBias(body);
  if (impossible !== undefined) return impossible;
  const seed = body.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const wanted = answerOf(body, seed);
  if ("refusal" in wanted) return wanted;
  const logprobs = body.logprobs === true;
  const top = body.top_logprobs ?? 0;
  if (top > 0 && !logprobs) return refuseFault(400, ["body", "top_logprobs"], "This requires logprobs: true.");
  const wish = body.max_completion_tokens ?? body.max_tokens;
  const prompt = promptOf(body.messages, Math.min(longest, wish ?? 1));
  if ("refusal" in prompt) return prompt;
  const maxTokens = Math.min(longest, wish ?? contextTokens - prompt.prompt.length);
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
      seed,
      top,
      texts: wanted.texts,
      isInWords: wanted.isInWords === true,
    },
    choices,
    isCall: wanted.isCall === true,
    customTools: new Set((body.tools ?? []).filter(({ type }) => type === "custom").map(nameOf)),
    isStream: body.stream === true,
    includeUsage: streamOptions?.include_usage === true,
    logprobs,
  };
}

function answerOf(body: ChatCompletionRequest, seed: number): RequestedAnswer | Refusal<400, HostCode> {
  try {
    return requestedAnswer(body, seed);
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

/** Reads the prompt, if it leaves room for an answer of so many tokens. */
function promptOf(
  messages: ChatCompletionRequest["messages"],
  answer: number,
): { prompt: Uint16Array } | Refusal<400, TinyCode> {
  const tooLong = (tokens: string) => {
    const message = `The prompt has ${tokens} tokens, and with the answer (${answer}) it may have ${contextTokens}. Shorten the messages, or lower max_completion_tokens.`;
    const faults = [{ loc: ["body", "messages"], msg: message, type: "value_error" as const }];
    return refuse(400, message, { faults, code: "context_length_exceeded" });
  };
  try {
    // Writing the tokens of a long text would hold up other requests.
    const least = leastTokens(messages);
    if (least + answer > contextTokens) return tooLong(`at least ${least}`);
    const prompt = renderPrompt(messages);
    return prompt.length + answer > contextTokens ? tooLong(String(prompt.length)) : { prompt };
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    const faults = [{ loc: ["body", "messages", ...error.path], msg: error.message, type: "value_error" as const }];
    return refuse(400, error.message, { faults, code: "invalid_value" });
  }
}
