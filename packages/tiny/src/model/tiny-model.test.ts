import fc from "fast-check";
import { expect, it } from "vitest";
import { roughModel } from "../../test/lib.ts";
import { maxRows, rowCount } from "./context.ts";
import { TinyModel } from "./tiny-model.ts";
import { vocabularySize } from "./vocabulary.ts";

const model = roughModel(1, 20);
const activeRows = fc.array(fc.integer({ min: 0, max: rowCount - 1 }), { minLength: 1, maxLength: maxRows });

/** The definition, written as it is read. */
function plainLogprobs(rows: readonly number[]): number[] {
  const logits = Array.from({ length: vocabularySize }, (_, token) =>
    rows.reduce((sum, row) => sum + (model.weights[row * vocabularySize + token] ?? NaN), 0),
  );
  const largest = Math.max(...logits);
  const sum = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
  return logits.map((logit) => logit - largest - Math.log(sum));
}

it("returns the log probabilities of a reference computation, which add up to one", () => {
  const out = new Float64Array(vocabularySize);
  fc.assert(
    fc.property(activeRows, (rows) => {
      const written = new Int32Array(maxRows).fill(-1);
      written.set(rows);
      model.logprobs(written, out);
      for (const [token, logprob] of plainLogprobs(rows).entries()) expect(out[token]).toBeCloseTo(logprob, 9);
      expect(out.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 12);
      // They stand in the middle of a longer list as well, and end at its end.
      const many = Int32Array.from([7, 7, ...rows]);
      const again = new Float64Array(vocabularySize);
      const probabilities = new Float64Array(vocabularySize);
      model.logprobs(many, again, 2, probabilities);
      expect(again).toEqual(out);
      expect(probabilities[5]).toBeCloseTo(Math.exp(out[5] ?? 0), 12);
      expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    }),
    { numRuns: 50 },
  );
});

it("gives every token the same probability while its weights are 0, however many rows are active", () => {
  const out = new Float64Array(vocabularySize);
  new TinyModel().logprobs(Int32Array.of(0, 5, 9), out);
  expect(new Set(out).size).toBe(1);
  expect(out[0]).toBeCloseTo(-Math.log(vocabularySize), 12);
});

it("returns finite numbers for weights of any size", () => {
  const steep = new TinyModel();
  steep.weights[3] = 1e6;
  steep.weights[4] = -1e6;
  const out = new Float64Array(vocabularySize);
  steep.logprobs(Int32Array.of(0), out);
  expect(out[3]).toBe(0);
  expect(out.every(Number.isFinite)).toBe(true);
});

it("can be cloned, with its own weights", () => {
  const clone = model.clone();
  clone.weights[0] = 1234;
  expect(model.weights[0]).not.toBe(1234);
  expect(clone.weights[1]).toBe(model.weights[1]);
});

it("rejects weights of another size", () => {
  expect(() => new TinyModel(new Float32Array(5))).toThrow(RangeError);
});
