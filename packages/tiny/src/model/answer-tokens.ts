import { isObject, type JsonObject } from "@trainyard/core/validation";
import { end } from "./vocabulary.ts";

/** The tokens that were said, as the model reads them, with their log probabilities at sampling. */
export interface AnswerTokens {
  readonly tokens: readonly number[];
  readonly logprobs: Float64Array | undefined;
}

const encoder = new TextEncoder();

/**
 * The tokens of an answer. If a choice has logprobs of this model's tokens, they state exactly what was sampled: the
 * text loses bytes that are not valid UTF-8, and does not show whether the end was sampled.
 */
export function answerTokens(text: string, choice: JsonObject | undefined): AnswerTokens {
  const logged = choice && loggedTokens(choice);
  if (logged !== undefined && decode(logged.tokens) === text) return logged;
  const bytes = [...encoder.encode(text)];
  // An answer that was cut off by the token limit has no end token.
  return { tokens: choice?.["finish_reason"] === "length" ? bytes : [...bytes, end], logprobs: undefined };
}

function loggedTokens({ logprobs }: JsonObject): AnswerTokens | undefined {
  const entries = isObject(logprobs) && Array.isArray(logprobs["content"]) ? logprobs["content"] : [];
  if (entries.length === 0) return undefined;
  const tokens: number[] = [];
  const values = new Float64Array(entries.length);
  for (const [index, entry] of entries.entries()) {
    const logged = loggedToken(entry);
    // Nothing follows the end token.
    if (logged === undefined || tokens.at(-1) === end) return undefined;
    tokens.push(logged.token);
    values[index] = logged.logprob;
  }
  return { tokens, logprobs: values };
}

/** An entry of a choice's logprobs. Undefined if it belongs to another model's tokens, or has no number. */
export function loggedToken(entry: unknown): { readonly token: number; readonly logprob: number } | undefined {
  if (!isObject(entry)) return undefined;
  const token = tokenOf(entry);
  const { logprob } = entry;
  return token === undefined || typeof logprob !== "number" ? undefined : { token, logprob };
}

/** The end has no text and no bytes; every other token is one byte. */
function tokenOf({ token, bytes }: JsonObject): number | undefined {
  if (token === "" && (bytes === null || bytes === undefined)) return end;
  const [byte, second]: unknown[] = Array.isArray(bytes) ? bytes : [];
  const isByte = typeof byte === "number" && Number.isInteger(byte) && byte >= 0 && byte < 256;
  return isByte && second === undefined ? byte : undefined;
}

function decode(tokens: readonly number[]): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(tokens.filter((token) => token !== end)));
}
