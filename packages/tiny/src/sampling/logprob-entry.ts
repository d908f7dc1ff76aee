import type { TokenLogprob, TopLogprob } from "@trainyard/inference";
import { end } from "../model/vocabulary.ts";
import type { SampledToken } from "./sample.ts";

/**
 * A sampled token as answers tell it. The end stands among the entries, so that they hold the probability of the whole
 * answer: without text, and with `bytes` null.
 */
export function logprobEntry({ token, logprob, top }: SampledToken): TokenLogprob {
  return { ...entryOf(token, logprob), top_logprobs: top.map((one) => entryOf(one.token, one.logprob)) };
}

function entryOf(token: number, logprob: number): TopLogprob {
  if (token === end) return { token: "", bytes: null, logprob };
  // A byte above 127 is part of a character; it is written as its number.
  const text = token < 128 ? String.fromCharCode(token) : `\\x${token.toString(16)}`;
  return { token: text, bytes: [token], logprob };
}
