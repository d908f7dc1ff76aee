import fc from "fast-check";
import { expect, it } from "vitest";
import { policyLoss, type LossInput, type LossSettings } from "./loss.ts";

const logprob = fc.double({ min: -4, max: -0.01, noNaN: true });
const advantage = fc.double({ min: -2, max: 2, noNaN: true });

/** Up to four sequences of up to five tokens. */
const inputs: fc.Arbitrary<LossInput> = fc
  .array(
    fc.array(fc.record({ now: logprob, old: logprob, advantage, weight: fc.double({ min: 0, max: 2, noNaN: true }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((sequences) => {
    const tokens = sequences.flat();
    const starts = [0];
    for (const { length } of sequences) starts.push((starts.at(-1) ?? 0) + length);
    return {
      logprobs: Float64Array.from(tokens, ({ now }) => now),
      oldLogprobs: Float64Array.from(tokens, ({ old }) => old),
      advantages: Float64Array.from(tokens, (token) => token.advantage),
      weights: Float64Array.from(tokens, ({ weight }) => weight),
      starts,
      // Some more tokens that count 0.
      total: tokens.length + 2,
    };
  });

const bound = fc.oneof(fc.constant(Infinity), fc.double({ min: 0.2, max: 5, noNaN: true }));
const settings: fc.Arbitrary<LossSettings> = fc.record({
  lossFn: fc.constantFrom("cispo" as const, "ppo" as const),
  epsilon: fc.double({ min: 0, max: 1, noNaN: true }),
  epsilonHigh: fc.double({ min: 0, max: 4, noNaN: true }),
  importanceSamplingLevel: fc.constantFrom(
    "token" as const,
    "sequence" as const,
    "average" as const,
    "geometric_average" as const,
  ),
  maxNegativeWeight: bound,
  truncation: bound,
  maskRatios: fc.boolean(),
  tau: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
});

interface Plain {
  loss: number;
  /** The distance of the nearest ratio to a place where the loss has a kink. */
  kink: number;
}

/**
 * The loss as its papers write it, in loops, for other log probabilities `at` than those that were measured: what is a constant in the
 * formulas is taken from the measured ones. So its differences are what the slopes have to be.
 */
function plainly(
  { logprobs, oldLogprobs, advantages, weights, starts, total }: LossInput,
  how: LossSettings,
  at = logprobs,
): Plain {
  let loss = 0;
  let kink = Infinity;
  for (let sequence = 0; sequence < starts.length - 1; sequence++) {
    const from = starts[sequence] ?? 0;
    const to = starts[sequence + 1] ?? 0;
    let sum = 0;
    for (let t = from; t < to; t++) sum += (logprobs[t] ?? 0) - (oldLogprobs[t] ?? 0);
    const whole = Math.exp(sum / (to - from));
    for (let t = from; t < to; t++) {
      const measured = logprobs[t] ?? 0;
      const moved = at[t] ?? 0;
      const one = Math.exp(measured - (oldLogprobs[t] ?? 0));
      const fixed = {
        token: one,
        sequence: whole,
        average: 0.5 * one + 0.5 * whole,
        geometric_average: one ** 0.5 * whole ** 0.5,
      }[how.importanceSamplingLevel];
      const a = (advantages[t] ?? 0) - how.tau * sum;
      const low = 1 - how.epsilon;
      const high = 1 + how.epsilonHigh;
      for (const edge of [low, high, how.truncation, ...(a < 0 ? [how.maxNegativeWeight] : [])]) {
        kink = Math.min(kink, Math.abs(fixed - edge));
      }
      kink = Math.min(kink, Math.abs(a));
      if (how.maskRatios && (fixed < low || fixed > high)) continue;
      let ratio = fixed * Math.exp(moved - measured);
      let isConstant = false;
      if (fixed > how.truncation) [ratio, isConstant] = [how.truncation, true];
      if (a < 0 && fixed > how.maxNegativeWeight && how.maxNegativeWeight < how.truncation)
        [ratio, isConstant] = [how.maxNegativeWeight, true];
      const weight = (weights[t] ?? 0) / total;
      if (how.lossFn === "cispo") {
        const constant = isConstant ? ratio : fixed;
        const clipped = constant < low ? low : constant > high ? high : constant;
        loss += -weight * clipped * a * moved;
      } else {
        const clipped = ratio < low ? low : ratio > high ? high : ratio;
        const [free, bounded] = [ratio * a, clipped * a];
        loss += -weight * (free < bounded ? free : bounded);
      }
    }
  }
  return { loss, kink };
}

it("agrees with a reference computation, whatever the settings", () => {
  fc.assert(
    fc.property(inputs, settings, (input, how) => {
      expect(policyLoss(input, how).loss).toBeCloseTo(plainly(input, how).loss, 9);
    }),
    { numRuns: 500 },
  );
});

it("has the slopes that finite differences show", () => {
  const step = 1e-5;
  fc.assert(
    fc.property(inputs, settings, (input, how) => {
      fc.pre(plainly(input, how).kink > 1e-3);
      const { slopes } = policyLoss(input, how);
      for (const token of input.logprobs.keys()) {
        const at = (by: number) =>
          plainly(
            input,
            how,
            input.logprobs.map((logprob, index) => logprob + (index === token ? by : 0)),
          ).loss;
        expect(slopes[token]).toBeCloseTo((at(step) - at(-step)) / (2 * step), 6);
      }
    }),
    { numRuns: 300 },
  );
});

const base: LossSettings = {
  lossFn: "ppo",
  epsilon: 0.2,
  epsilonHigh: 0.2,
  importanceSamplingLevel: "token",
  maxNegativeWeight: Infinity,
  truncation: Infinity,
  maskRatios: false,
  tau: 0,
};

/** One token that was said with a ratio. */
const token = (ratio: number, advantage: number): LossInput => ({
  logprobs: Float64Array.of(-1),
  oldLogprobs: Float64Array.of(-1 - Math.log(ratio)),
  advantages: Float64Array.of(advantage),
  weights: Float64Array.of(1),
  starts: [0, 1],
  total: 1,
});
const slopeOf = (input: LossInput, how: LossSettings) => policyLoss(input, how).slopes[0] ?? NaN;

it("counts the tokens whose ratio is out of bounds", () => {
  expect(policyLoss(token(1, 0.7), base).clipFraction).toBe(0);
  expect(policyLoss(token(1.5, 1), base).clipFraction).toBe(1);
  expect(policyLoss(token(1.5, 1), { ...base, lossFn: "cispo", maskRatios: true })).toEqual({
    loss: 0,
    surrogate: 0,
    slopes: Float64Array.of(0),
    clipFraction: 1,
  });
});

it("returns finite numbers for a token that the policy never chose", () => {
  const input = { ...token(1, 1), oldLogprobs: Float64Array.of(-9999) };
  for (const lossFn of ["ppo", "cispo"] as const) {
    for (const sign of [1, -1]) {
      expect(
        Math.abs(slopeOf({ ...input, advantages: Float64Array.of(sign) }, { ...base, lossFn, epsilonHigh: 4 })),
      ).toBeLessThan(1e9);
    }
  }
  expect(
    policyLoss({ ...input, starts: [0], logprobs: new Float64Array(), oldLogprobs: new Float64Array() }, base),
  ).toEqual({
    loss: 0,
    surrogate: 0,
    slopes: new Float64Array(),
    clipFraction: 0,
  });
});
