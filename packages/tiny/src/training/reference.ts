import { maxRows } from "../model/context.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import { kept, type Positions } from "./learner.ts";

const size = vocabularySize;

/** The policy that the distance of a job is measured to, at the positions of its tokens. */
export class Reference {
  /** Its log probabilities of the tokens, where a policy was compared. */
  readonly logprobs: Float64Array;
  /** KL(π ‖ π_ref) = Σ π·log(π/π_ref) over all tokens, in nats, of the policy that was compared last. */
  readonly distances: Float64Array;
  readonly #model: TinyModel;
  readonly #positions: Positions;
  /** The log probabilities of all tokens at the first positions: the reference does not change. */
  readonly #kept: Float64Array[] = [];

  constructor(model: TinyModel, positions: Positions) {
    [this.#model, this.#positions] = [model, positions];
    this.logprobs = new Float64Array(positions.tokens.length);
    this.distances = new Float64Array(positions.tokens.length);
  }

  /** Measures the distance of a policy at a position, by its probabilities there and their entropy. */
  compare(position: number, probabilities: Float64Array, entropy: number): void {
    const logprobs = this.#kept[position] ?? this.#look(position);
    let distance = -entropy;
    for (let token = 0; token < size; token++) distance -= probabilities[token]! * logprobs[token]!;
    this.logprobs[position] = logprobs[this.#positions.tokens[position]!]!;
    // Less is rounding, which may also be below 0.
    this.distances[position] = distance < 1e-12 ? 0 : distance;
  }

  #look(position: number): Float64Array {
    const logprobs = new Float64Array(size);
    this.#model.logprobs(this.#positions.rows.subarray(position * maxRows, (position + 1) * maxRows), logprobs);
    if (position < kept) this.#kept[position] = logprobs;
    return logprobs;
  }
}
