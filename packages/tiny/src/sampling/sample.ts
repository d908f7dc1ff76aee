import { Context, maxRows } from "../model/context.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { end, vocabularySize } from "../model/vocabulary.ts";
import { Chooser, mostProbable } from "./choose.ts";
import { createRandom } from "./random.ts";
import type { SampleSettings } from "./settings.ts";
import { StopWatch } from "./stop-watch.ts";

/**
 * A token of an answer, with log probabilities of the model's own distribution: at temperature 1, without top-p, bias,
 * penalties or texts to choose from.
 */
export interface SampledToken {
  readonly token: number;
  readonly logprob: number;
  /** The most probable tokens at this position, the most probable first. */
  readonly top: readonly { readonly token: number; readonly logprob: number }[];
}

/** How an answer ended. */
export interface SampleEnd {
  readonly reason: "stop" | "length";
  /** How many tokens were sampled, including those of a stop sequence, which is not part of the answer. */
  readonly count: number;
}

/**
 * Samples an answer, token by token. Its end token is the last one; an answer that is cut off has none.
 *
 * @param prompt the conversation, up to where the answer starts
 * @param index the index of the choice, so that choices of one request and seed differ
 */
export function* sample(
  model: TinyModel,
  prompt: Uint16Array,
  settings: SampleSettings,
  index = 0,
): Generator<SampledToken, SampleEnd, undefined> {
  const context = new Context();
  for (const token of prompt) context.push(token);
  const seed = settings.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const chooser = new Chooser(settings, createRandom(seed, index));
  const stops = new StopWatch<SampledToken>(settings.stops);
  const rows = new Int32Array(maxRows);
  const logprobs = new Float64Array(vocabularySize);
  const probabilities = new Float64Array(vocabularySize);
  const allowed = new Uint8Array(vocabularySize);
  let { texts } = settings;
  for (let count = 1; count <= settings.maxTokens; count++) {
    context.rows(rows);
    model.logprobs(rows, logprobs, 0, probabilities);
    allowed.fill(0);
    for (const text of texts ?? []) allowed[text[count - 1] ?? end] = 1;
    const isInWords = settings.isInWords === true && count === 1;
    const only = texts === undefined ? (isInWords ? ofWords : undefined) : allowed;
    const token = chooser.choose(logprobs, probabilities, only);
    texts = texts?.filter((text) => (text[count - 1] ?? end) === token);
    const top = settings.top === 0 ? [] : mostProbable(logprobs, settings.top);
    const sampled: SampledToken = {
      token,
      logprob: logprobs[token] ?? 0,
      top: top.map((one) => ({ token: one, logprob: logprobs[one] ?? 0 })),
    };
    if (token === end) {
      yield* stops.rest();
      yield sampled;
      return { reason: "stop", count };
    }
    context.push(token);
    const { sure, isStop } = stops.push(sampled, token);
    yield* sure;
    if (isStop) return { reason: "stop", count };
  }
  yield* stops.rest();
  return { reason: "length", count: settings.maxTokens };
}

/** Marks letters and digits. */
const ofWords = Uint8Array.from({ length: vocabularySize }, (_, token) =>
  Number(token < end && /[A-Za-z0-9]/.test(String.fromCharCode(token))),
);
