import type { ChatCompletionRequest, TokenLogprob } from "@trainyard/inference";
import { createRandom, hashText } from "./random.ts";
import { endToken, vocabulary } from "./vocabulary.ts";

/** What the model says. */
export interface Generation {
  readonly tokens: readonly Token[];
  readonly reason: "stop" | "length";
}

/** One token with the probability that it had. */
export interface Token {
  readonly text: string;
  readonly logprob: number;
  /** The most probable tokens at this place, the first being the most probable. */
  readonly top: readonly { readonly text: string; readonly logprob: number }[];
}

const defaultLength = 64;
/** The model's context: it says no more, whatever it is asked for. */
const longest = 4096;
/** Below it, dividing by the temperature leaves the range of numbers: the most probable token is certain by then. */
const coldest = 1e-3;

/**
 * Says something that depends on nothing but the conversation, the seed and the settings: a walk over a small
 * vocabulary, in which each word makes others more and less probable.
 *
 * @param prompt stands for the model and the conversation
 * @param index of the choice
 */
export function generate(request: ChatCompletionRequest, prompt: string, index: number): Generation {
  const { temperature, top_p: topP, logit_bias: bias, top_logprobs: topCount } = request;
  const context = hashText(prompt);
  const random = createRandom(hashText(`${request.seed ?? "none"} ${index}`, context));
  const limit = Math.min(longest, request.max_completion_tokens ?? request.max_tokens ?? defaultLength);
  const stops = [request.stop ?? []].flat().filter((stop) => stop !== "");
  const heat = temperature ?? 1;
  const isCold = heat < coldest;
  const said = new Map<number, number>();
  const tokens: Token[] = [];
  let text = "";
  for (let previous = endToken; tokens.length < limit;) {
    const logits = vocabulary.map((_, token) => {
      const count = said.get(token) ?? 0;
      const penalty = count * (request.frequency_penalty ?? 0) + (count > 0 ? (request.presence_penalty ?? 0) : 0);
      return affinity(context, previous, token, tokens.length) + (bias?.[String(token)] ?? 0) - penalty;
    });
    const logprobs = logSoftmax(logits, isCold ? 1 : heat);
    const next = isCold ? mostProbable(logprobs)[0] : sample(logprobs, topP ?? 1, random());
    if (next === undefined || next === endToken) return { tokens, reason: "stop" };
    const top = topCount == null || topCount === 0 ? [] : mostProbable(logprobs).slice(0, topCount);
    tokens.push({
      text: wordOf(next, text === ""),
      logprob: logprobs[next] ?? 0,
      top: top.map((token) => ({ text: wordOf(token, text === ""), logprob: logprobs[token] ?? 0 })),
    });
    text += tokens.at(-1)?.text ?? "";
    const stop = Math.min(...stops.map((word) => text.indexOf(word)).filter((place) => place >= 0));
    if (Number.isFinite(stop)) return { tokens: cutAt(tokens, stop), reason: "stop" };
    said.set(next, (said.get(next) ?? 0) + 1);
    previous = next;
  }
  return { tokens, reason: "length" };
}

/** How logprobs are told. */
export function tokenLogprobs(tokens: readonly Token[]): TokenLogprob[] {
  const encode = ({ text, logprob }: { text: string; logprob: number }) => ({
    token: text,
    logprob,
    bytes: [...new TextEncoder().encode(text)],
  });
  return tokens.map((token) => ({ ...encode(token), top_logprobs: token.top.map(encode) }));
}

/** An answer does not begin with a space. */
function wordOf(token: number, first: boolean): string {
  const word = vocabulary[token] ?? "";
  return first ? word.trimStart() : word;
}

function affinity(context: number, previous: number, token: number, length: number): number {
  // Never silent at once, and more and more likely to come to an end.
  if (token === endToken) return length < 4 ? -20 : length / 8 - 2;
  return createRandom(context ^ Math.imul(previous + 1, 0x9e3779b1) ^ Math.imul(token + 1, 0x85ebca6b))() * 5;
}

function logSoftmax(logits: readonly number[], temperature: number): number[] {
  const scaled = logits.map((logit) => logit / temperature);
  const largest = Math.max(...scaled);
  const sum = Math.log(scaled.reduce((total, logit) => total + Math.exp(logit - largest), 0)) + largest;
  return scaled.map((logit) => logit - sum);
}

function mostProbable(logprobs: readonly number[]): number[] {
  return logprobs.map((_, token) => token).sort((a, b) => (logprobs[b] ?? 0) - (logprobs[a] ?? 0));
}

/** Chooses among the most probable tokens that together have the probability `topP`. */
function sample(logprobs: readonly number[], topP: number, random: number): number | undefined {
  // The order matters only where it decides what is left out.
  const order = topP < 1 ? mostProbable(logprobs) : logprobs.keys();
  const kept: number[] = [];
  let mass = 0;
  for (const token of order) {
    kept.push(token);
    mass += Math.exp(logprobs[token] ?? 0);
    if (mass >= topP) break;
  }
  let rest = random * mass;
  return kept.find((token) => (rest -= Math.exp(logprobs[token] ?? 0)) < 0) ?? kept.at(-1);
}

/** The tokens of the first characters; of the last one, a part. */
function cutAt(tokens: readonly Token[], length: number): Token[] {
  const kept: Token[] = [];
  let left = length;
  for (const token of tokens) {
    if (left <= 0) break;
    kept.push({ ...token, text: token.text.slice(0, left) });
    left -= token.text.length;
  }
  return kept;
}
