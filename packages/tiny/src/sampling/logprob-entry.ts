import type { TokenLogprob, TopLogprob } from "@trainyard/inference";
import { end } from "../model/vocabulary.ts";
import type { SampledToken } from "./sample.ts";

/**
 * A sampled token as responses contain it. The end token is included, so that the entries give the probability of the
 * whole answer; its text is empty, and its `bytes` are null.
 */
export function logprobEntry({ token, logprob, top }: SampledToken): TokenLogprob {
  return { ...entryOf(token, logprob), top_logprobs: top.map((one) => entryOf(one.token, one.logprob)) };
}

function entryOf(token: number, logprob: number): TopLogprob {
  if (token === end) return { token: "", bytes: null, logprob };
  // A byte above 127 is part of a character, so it is written as its number.
  const text = token < 128 ? String.fromCharCode(token) : `\\x${token.toString(16)}`;
  return { token: text, bytes: [token], logprob };
}
