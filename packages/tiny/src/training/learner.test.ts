import fc from "fast-check";
import { expect, it } from "vitest";
import { maxRows, rowCount } from "../model/context.ts";
import { TinyModel } from "../model/tiny-model.ts";
import { vocabularySize } from "../model/vocabulary.ts";
import { createRandom } from "../sampling/random.ts";
import { Learner, type Positions } from "./learner.ts";

/** Positions with few different rows, so that they share some. */
const positions: fc.Arbitrary<Positions> = fc
  .array(
    fc.record({
      token: fc.nat({ max: vocabularySize - 1 }),
      rows: fc.array(fc.nat({ max: 5 }), { minLength: 0, maxLength: maxRows - 1 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => {
    const rows = new Int32Array(list.length * maxRows).fill(-1);
    for (const [position, one] of list.entries()) rows.set(one.rows, position * maxRows);
    return { tokens: Uint16Array.from(list, ({ token }) => token), rows };
  });

/** The weights that are not 0. */
const used = 6 * vocabularySize;

function randomModel(seed: number): TinyModel {
  const random = createRandom(seed);
  const model = new TinyModel();
  for (let index = 0; index < used; index++) model.weights[index] = random() * 2 - 1;
  return model;
}

function scored(learner: Learner, { tokens, rows }: Positions) {
  const logprobs = new Float64Array(tokens.length);
  const entropies = new Float64Array(tokens.length);
  learner.score({ tokens, rows }, logprobs, entropies, 0, tokens.length);
  return { logprobs, entropies };
}

it("returns the same log probabilities as the model", () => {
  fc.assert(
    fc.property(positions, fc.nat(1000), (input, seed) => {
      const model = randomModel(seed);
      const { logprobs, entropies } = scored(new Learner(model), input);
      const all = new Float64Array(vocabularySize);
      for (const [position, token] of input.tokens.entries()) {
        model.logprobs(input.rows, all, position * maxRows);
        expect(logprobs[position]).toBeCloseTo(all[token] ?? 0, 9);
        expect(entropies[position]).toBeCloseTo(-all.reduce((sum, one) => sum + Math.exp(one) * one, 0), 9);
      }
    }),
    { numRuns: 30 },
  );
});

it("has the gradient that finite differences show, and changes no other weight", () => {
  const step = 0.01;
  fc.assert(
    fc.property(positions, fc.nat(1000), (input, seed) => {
      const model = randomModel(seed);
      const random = createRandom(seed, 1);
      const slopes = Float64Array.from(input.tokens, () => random() * 2 - 1);
      const before = model.weights.slice(0, used);
      const learner = new Learner(model);
      const loss = () =>
        scored(learner, input).logprobs.reduce((sum, one, position) => sum + one * (slopes[position] ?? 0), 0);
      scored(learner, input);
      learner.learn(input, slopes, 0, input.tokens.length);
      const norm = learner.descend(1);
      const gradient = before.map((weight, index) => weight - (model.weights[index] ?? 0));
      expect(Math.hypot(...gradient)).toBeCloseTo(norm, 4);
      expect(model.weights.subarray(used).every((weight) => weight === 0)).toBe(true);
      model.weights.set(before);
      for (let sample = 0; sample < 8; sample++) {
        // The learned tokens have the largest derivatives.
        const token = input.tokens[sample % input.tokens.length] ?? 0;
        const index =
          Math.floor(random() * 6) * vocabularySize + (sample < 4 ? token : Math.floor(random() * vocabularySize));
        const at = (by: number) => {
          model.weights[index] = (before[index] ?? 0) + by;
          const value = loss();
          model.weights[index] = before[index] ?? 0;
          return value;
        };
        expect(gradient[index]).toBeCloseTo((at(step) - at(-step)) / (2 * step), 3);
      }
      const active = new Set(input.rows);
      for (let row = 0; row < 6; row++) {
        if (!active.has(row))
          expect(gradient.subarray(row * vocabularySize, (row + 1) * vocabularySize).every((one) => one === 0)).toBe(
            true,
          );
      }
    }),
    { numRuns: 15 },
  );
});

it("resets the gradient after a step", () => {
  const model = randomModel(1);
  const input: Positions = {
    tokens: Uint16Array.of(65),
    rows: Int32Array.of(1, 2, ...Array.from({ length: maxRows - 2 }, () => -1)),
  };
  const learner = new Learner(model);
  scored(learner, input);
  learner.learn(input, Float64Array.of(-1), 0, 1);
  expect(learner.descend(1)).toBeGreaterThan(0);
  learner.reset();
  const after = model.weights.slice(0, used);
  expect(learner.descend(1)).toBe(0);
  expect(model.weights.slice(0, used)).toEqual(after);
});

it("learns the same from positions that it does not cache", () => {
  // More than it keeps the probabilities of.
  const count = 16_384 + 3;
  const rows = new Int32Array(count * maxRows).fill(-1);
  for (let position = 0; position < count; position++) rows[position * maxRows] = position % rowCount;
  const tokens = new Uint16Array(count).fill(7);
  const slopes = new Float64Array(count);
  slopes[count - 1] = -1;
  const model = randomModel(2);
  const learner = new Learner(model);
  const other = model.clone();
  scored(learner, { tokens, rows });
  learner.learn({ tokens, rows }, slopes, 0, count);
  learner.descend(1);
  const alone = { tokens: tokens.subarray(count - 1), rows: rows.subarray((count - 1) * maxRows) };
  const second = new Learner(other);
  scored(second, alone);
  second.learn(alone, Float64Array.of(-1), 0, 1);
  second.descend(1);
  for (let index = 0; index < used; index++) expect(model.weights[index]).toBeCloseTo(other.weights[index] ?? 0, 5);
});
