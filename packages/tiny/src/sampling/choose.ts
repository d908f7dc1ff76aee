import { vocabularySize } from "../model/vocabulary.ts";
import type { SampleSettings } from "./settings.ts";

// A local constant: in tests, an imported one is read through a getter, which is slow in these loops.
const size = vocabularySize;

/** Below this temperature, dividing by it would overflow, and the most probable token is certain anyway. */
const coldest = 1e-3;

/** Chooses tokens by the settings of one answer. */
export class Chooser {
  readonly #settings: SampleSettings;
  readonly #random: () => number;
  readonly #counts = new Uint16Array(size);
  readonly #logits = new Float64Array(size);
  readonly #isPlain: boolean;

  constructor(settings: SampleSettings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
    const { temperature, topP, frequencyPenalty, presencePenalty, bias } = settings;
    this.#isPlain =
      temperature === 1 && topP === 1 && frequencyPenalty === 0 && presencePenalty === 0 && bias.size === 0;
  }

  /**
   * @param logprobs of all tokens, as the model returns them
   * @param probabilities the same, as probabilities
   * @param allowed marks the tokens that may be chosen with 1; all of them by default
   */
  choose(logprobs: Float64Array, probabilities: Float64Array, allowed?: Uint8Array): number {
    const token =
      this.#isPlain && allowed === undefined ? sample(probabilities, this.#random()) : this.#weigh(logprobs, allowed);
    this.#counts[token]! += 1;
    return token;
  }

  #weigh(logprobs: Float64Array, allowed?: Uint8Array): number {
    const { temperature, topP, frequencyPenalty, presencePenalty, bias } = this.#settings;
    const logits = this.#logits;
    for (let token = 0; token < size; token++) {
      const count = this.#counts[token]!;
      logits[token] = logprobs[token]! - count * frequencyPenalty - (count > 0 ? presencePenalty : 0);
    }
    for (const [token, added] of bias) logits[token]! += added;
    if (allowed !== undefined) {
      for (let token = 0; token < size; token++) if (allowed[token] === 0) logits[token] = -Infinity;
    }
    if (temperature < coldest) return mostProbable(logits, 1)[0]!;
    normalize(logits, temperature);
    if (topP < 1) leaveOut(logits, topP);
    return sample(logits.map(Math.exp), this.#random());
  }
}

/** The most probable tokens, the most probable first; ties go to the lower token. */
export function mostProbable(logprobs: Float64Array, count: number): number[] {
  const best: number[] = [];
  for (let token = 0; token < logprobs.length; token++) {
    let index = best.length;
    while (index > 0 && logprobs[best[index - 1]!]! < logprobs[token]!) index--;
    if (index >= count) continue;
    best.splice(index, 0, token);
    if (best.length > count) best.pop();
  }
  return best;
}

/** Walks along the tokens until their probabilities add up to a random number below 1. */
function sample(probabilities: Float64Array, random: number): number {
  let rest = random;
  let last = 0;
  for (let token = 0; token < probabilities.length; token++) {
    const probability = probabilities[token]!;
    if (probability === 0) continue;
    last = token;
    rest -= probability;
    if (rest < 0) return token;
  }
  // Due to rounding, the probabilities may add up to slightly less than 1.
  return last;
}

function normalize(logits: Float64Array, temperature: number): void {
  let largest = -Infinity;
  for (const logit of logits) largest = Math.max(largest, logit);
  let sum = 0;
  for (const logit of logits) sum += Math.exp((logit - largest) / temperature);
  const shift = Math.log(sum);
  for (let token = 0; token < logits.length; token++) logits[token] = (logits[token]! - largest) / temperature - shift;
}

/** Keeps the fewest, most probable tokens that reach the mass; at least one. */
function leaveOut(logprobs: Float64Array, mass: number): void {
  const order = mostProbable(logprobs, logprobs.length);
  let kept = 0;
  let count = 0;
  while (count < order.length && (count === 0 || kept < mass)) kept += Math.exp(logprobs[order[count++]!]!);
  for (const token of order.slice(count)) logprobs[token] = -Infinity;
  normalize(logprobs, 1);
}
