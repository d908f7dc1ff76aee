import { maxRows, rowCount } from "../model/context.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import type { Reference } from "./reference.ts";

/** The tokens that are trained on, each with the rows of weights that are active before it. */
export interface Positions {
  readonly tokens: Uint16Array;
  /** `maxRows` numbers per token, ended by a -1 if there are fewer. */
  readonly rows: Int32Array;
}

/** In a loop over tokens, a constant of this module is read faster than an imported one. */
const size = vocabularySize;

/**
 * How many positions keep their probabilities between scoring and learning, so that they are not calculated twice: 16
 * MB. For those of a reference it is 32 MB.
 */
export const kept = 16_384;

/**
 * Scores tokens under a model and changes its weights. The logits are the sum of the active rows, so the gradient of
 * log p(token) with respect to each of them is onehot(token) − p: exact, and 0 for all other rows.
 */
export class Learner {
  readonly #weights: Float32Array;
  readonly #reference: Reference | undefined;
  readonly #gradient = new Float32Array(rowCount * size);
  readonly #isTouched = new Uint8Array(rowCount);
  readonly #touched: number[] = [];
  readonly #probabilities = new Float64Array(size);
  #kept = new Float32Array(0);

  /**
   * @param model its weights are changed in place
   * @param reference is compared with the model, where it is scored
   */
  constructor(model: TinyModel, reference?: Reference) {
    this.#weights = model.weights;
    this.#reference = reference;
  }

  /**
   * Writes the log probability of each token, and the entropy in nats of the probabilities that it was chosen from.
   * Keeps what `learn` needs for the same positions.
   */
  score({ tokens, rows }: Positions, logprobs: Float64Array, entropies: Float64Array, from: number, to: number): void {
    const room = Math.min(kept, tokens.length) * size;
    if (this.#kept.length < room) this.#kept = new Float32Array(room);
    for (let position = from; position < to; position++) {
      const token = tokens[position] ?? 0;
      const [logprob, entropy] = this.#look(rows, position, token);
      logprobs[position] = logprob;
      entropies[position] = entropy;
      this.#reference?.compare(position, this.#probabilities, entropy);
      if (position < kept) this.#kept.set(this.#probabilities, position * size);
    }
  }

  /**
   * Adds to the gradient of a loss. `slopes` are its derivatives with respect to the log probabilities of the tokens.
   * The positions must have been scored last, with the same weights.
   */
  learn({ tokens, rows }: Positions, slopes: Float64Array, from: number, to: number): void {
    const gradient = this.#gradient;
    for (let position = from; position < to; position++) {
      const slope = slopes[position] ?? 0;
      if (slope === 0) continue;
      const token = tokens[position] ?? 0;
      let probabilities: Float32Array | Float64Array = this.#probabilities;
      if (position < kept) probabilities = this.#kept.subarray(position * size, (position + 1) * size);
      else this.#look(rows, position, token);
      for (let index = position * maxRows; index < (position + 1) * maxRows; index++) {
        const row = rows[index]!;
        if (row < 0) break;
        if (this.#isTouched[row] === 0) {
          this.#isTouched[row] = 1;
          this.#touched.push(row);
        }
        const at = row * size;
        for (let other = 0; other < size; other++) gradient[at + other]! -= slope * probabilities[other]!;
        gradient[at + token]! += slope;
      }
    }
  }

  /**
   * Moves the weights against the gradient.
   *
   * @returns the gradient's Euclidean norm
   */
  descend(learningRate: number): number {
    let squares = 0;
    for (const row of this.#touched) {
      for (let index = row * size; index < (row + 1) * size; index++) {
        const slope = this.#gradient[index]!;
        squares += slope * slope;
        this.#weights[index]! -= learningRate * slope;
      }
    }
    return Math.sqrt(squares);
  }

  /** Resets the gradient. */
  reset(): void {
    for (const row of this.#touched) {
      this.#gradient.fill(0, row * size, (row + 1) * size);
      this.#isTouched[row] = 0;
    }
    this.#touched.length = 0;
  }

  /** Calculates the probabilities at a position. */
  #look(rows: Int32Array, position: number, token: number): [logprob: number, entropy: number] {
    const weights = this.#weights;
    const values = this.#probabilities;
    values.fill(0);
    for (let index = position * maxRows; index < (position + 1) * maxRows; index++) {
      const row = rows[index]!;
      if (row < 0) break;
      const at = row * size;
      for (let other = 0; other < size; other++) values[other]! += weights[at + other]!;
    }
    let largest = -Infinity;
    for (let other = 0; other < size; other++) if (values[other]! > largest) largest = values[other]!;
    const ofToken = values[token]! - largest;
    let sum = 0;
    let weighted = 0;
    for (let other = 0; other < size; other++) {
      const logit = values[other]! - largest;
      const value = Math.exp(logit);
      sum += value;
      weighted += value * logit;
      values[other] = value;
    }
    const scale = 1 / sum;
    for (let other = 0; other < size; other++) values[other]! *= scale;
    const log = Math.log(sum);
    return [ofToken - log, log - weighted * scale];
  }
}
