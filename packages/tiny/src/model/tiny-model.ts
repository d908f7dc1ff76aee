import { rowCount } from "./context.ts";
import { vocabularySize } from "./vocabulary.ts";

// A local constant: in tests, an imported one is read through a getter, which is slow in these loops.
const size = vocabularySize;

/**
 * A log-linear model of the next byte: the log probability of a token t at a position with the active rows R is log
 * softmax(Σ_{r ∈ R} weights[r])[t]. A row that occurs twice in R counts twice.
 */
export class TinyModel {
  /** `rowCount` rows of `vocabularySize` weights, row by row. */
  readonly weights: Float32Array;
  readonly #scratch = new Float64Array(size);

  /** @throws RangeError if the number of weights is wrong */
  constructor(weights: Float32Array = new Float32Array(rowCount * size)) {
    if (weights.length !== rowCount * size) {
      throw new RangeError(`A model has ${rowCount * size} weights, not ${weights.length}.`);
    }
    this.weights = weights;
  }

  clone(): TinyModel {
    return new TinyModel(this.weights.slice());
  }

  /**
   * The log probabilities of all tokens at temperature 1.
   *
   * @param rows the active rows, up to a -1, as `Context.rows` writes them
   * @param out receives `vocabularySize` numbers
   * @param probabilities receives the same as probabilities
   */
  logprobs(rows: Int32Array, out: Float64Array, offset = 0, probabilities?: Float64Array): void {
    const { weights } = this;
    out.fill(0);
    for (let index = offset; index < rows.length; index++) {
      const row = rows[index] ?? -1;
      if (row < 0) break;
      const from = row * size;
      for (let token = 0; token < size; token++) out[token]! += weights[from + token]!;
    }
    let largest = -Infinity;
    for (let token = 0; token < size; token++) if (out[token]! > largest) largest = out[token]!;
    const exponentials = probabilities ?? this.#scratch;
    let sum = 0;
    for (let token = 0; token < size; token++) {
      sum += exponentials[token] = Math.exp(out[token]! - largest);
    }
    const shift = largest + Math.log(sum);
    for (let token = 0; token < size; token++) out[token]! -= shift;
    if (probabilities === undefined) return;
    for (let token = 0; token < size; token++) probabilities[token]! /= sum;
  }
}
