import { isObject, type JsonObject } from "@trainyard/core/validation";
import { renderPrompt } from "../model/conversation.ts";
import { UnreadableMessage } from "../model/unreadable-message.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import { plainSettings, type SampleSettings } from "../sampling/settings.ts";
import { RequestError } from "./request-error.ts";

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
 * Reads a request. What the model has no use for is left aside: `tools` that it need not call, `user`, `reasoning_effort`.
 *
 * @throws RequestError which names the field
 */
export function readChatRequest(body: unknown): ChatRequest {
  if (!isObject(body)) throw new RequestError("The request must be a JSON object.");
  const { model, messages } = body;
  if (typeof model !== "string") throw new RequestError("model must be a string.", { param: "model" });
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new RequestError("messages must be a list of at least one message.", { param: "messages" });
  }
  refuseForms(body);
  const logprobs = flag(body, "logprobs");
  const top = number(body, "top_logprobs", { from: 0, to: 20, isInteger: true }) ?? 0;
  if (top > 0 && !logprobs) throw new RequestError("top_logprobs needs logprobs: true.", { param: "top_logprobs" });
  const limit =
    number(body, "max_completion_tokens", { from: 1, isInteger: true }) ??
    number(body, "max_tokens", { from: 1, isInteger: true });
  const streamOptions = isObject(body["stream_options"]) ? body["stream_options"] : {};
  return {
    model,
    prompt: promptOf(messages),
    settings: {
      temperature: number(body, "temperature", { from: 0, to: 2 }) ?? 1,
      topP: number(body, "top_p", { from: 0, to: 1 }) ?? 1,
      frequencyPenalty: number(body, "frequency_penalty", { from: -2, to: 2 }) ?? 0,
      presencePenalty: number(body, "presence_penalty", { from: -2, to: 2 }) ?? 0,
      bias: readBias(body["logit_bias"]),
      stops: readStops(body["stop"]),
      maxTokens: Math.min(longest, limit ?? longest),
      seed: number(body, "seed", { isInteger: true }),
      top,
    },
    choices: number(body, "n", { from: 1, to: 128, isInteger: true }) ?? 1,
    isStream: flag(body, "stream"),
    includeUsage: flag(streamOptions, "include_usage", "stream_options."),
    logprobs,
  };
}

/** What an answer would have to be, and never is. */
function refuseForms({ response_format: format, tool_choice: choice }: JsonObject): void {
  const type = isObject(format) ? format["type"] : "text";
  if (type !== "text") {
    throw new RequestError(
      `The model writes plain text; it cannot keep to ${JSON.stringify(type)}. Leave response_format out.`,
      {
        param: "response_format",
      },
    );
  }
  if (choice === undefined || choice === null || choice === "none" || choice === "auto") return;
  throw new RequestError("The model calls no tools. Leave tool_choice out.", { param: "tool_choice" });
}

function promptOf(messages: readonly unknown[]): Uint16Array {
  try {
    return renderPrompt(messages);
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    throw new RequestError(error.message, { param: ["messages", ...error.path].join(".") });
  }
}

function readBias(value: unknown): ReadonlyMap<number, number> {
  if (value === undefined || value === null) return plainSettings.bias;
  if (!isObject(value)) throw new RequestError("logit_bias must be an object.", { param: "logit_bias" });
  return new Map(
    Object.keys(value).map((key) => {
      const token = Number(key);
      if (!/^\d+$/.test(key) || token >= vocabularySize) {
        throw new RequestError(`logit_bias names a token ${key}; tokens are the bytes 0 to 255, and 256 for the end.`, {
          param: `logit_bias.${key}`,
        });
      }
      return [token, number(value, key, { from: -100, to: 100 }, "logit_bias.") ?? 0];
    }),
  );
}

function readStops(value: unknown): readonly string[] {
  const stops: unknown[] = [value ?? []].flat();
  if (stops.length <= 4 && stops.every((stop) => typeof stop === "string")) return stops;
  throw new RequestError("stop must be a string, or a list of up to four.", { param: "stop" });
}

function flag(parent: JsonObject, field: string, path = ""): boolean {
  const value = parent[field] ?? false;
  if (typeof value === "boolean") return value;
  throw new RequestError(`${path}${field} must be true or false.`, { param: `${path}${field}` });
}

interface Range {
  readonly from?: number;
  readonly to?: number;
  readonly isInteger?: boolean;
}

function number(parent: JsonObject, field: string, range: Range, path = ""): number | undefined {
  const value = parent[field];
  if (value === undefined || value === null) return undefined;
  const { from = -Number.MAX_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER, isInteger = false } = range;
  const fits = typeof value === "number" && value >= from && value <= to && (!isInteger || Number.isInteger(value));
  if (fits) return value;
  const kind = isInteger ? "a whole number" : "a number";
  const least = range.from === undefined ? "" : ` from ${from}`;
  const most = range.to === undefined ? "" : ` to ${to}`;
  throw new RequestError(`${path}${field} must be ${kind}${least}${most}.`, { param: `${path}${field}` });
}
