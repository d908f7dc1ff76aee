import fc from "fast-check";
import { expect, it } from "vitest";
import { estimateKl, penalizeKl } from "./kl.ts";

/** Log probabilities of a few outcomes. */
const distribution = fc
  .array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 })
  .map((weights) => weights.map((weight) => Math.log(weight / weights.reduce((sum, one) => sum + one, 0))));

it("estimates the divergence without bias, and never below 0", () => {
  fc.assert(
    fc.property(distribution, distribution, (policy, reference) => {
      let expected = 0;
      let estimated = 0;
      for (const [outcome, logprob] of policy.entries()) {
        const other = reference[outcome] ?? 0;
        const one = estimateKl(Float64Array.of(logprob), Float64Array.of(other));
        expect(one).toBeGreaterThanOrEqual(0);
        expected += Math.exp(logprob) * (logprob - other);
        estimated += Math.exp(logprob) * one;
      }
      expect(estimated).toBeCloseTo(expected, 9);
    }),
  );
});

it("is a mean over tokens, 0 for none", () => {
  const ratio = Math.exp(-1);
  expect(estimateKl(Float64Array.of(-1, -1), Float64Array.of(-2, -1))).toBeCloseTo((ratio - 1 + 1) / 2, 12);
  expect(estimateKl(new Float64Array(), new Float64Array())).toBe(0);
});

it("is the gradient of the divergence", () => {
  const step = 1e-5;
  fc.assert(
    fc.property(distribution, distribution, (logits, reference) => {
      const softmax = (values: number[]) => {
        const sum = values.reduce((total, value) => total + Math.exp(value), 0);
        return values.map((value) => value - Math.log(sum));
      };
      const divergence = (values: number[]) =>
        softmax(values).reduce(
          (sum, logprob, outcome) => sum + Math.exp(logprob) * (logprob - (reference[outcome] ?? 0)),
          0,
        );
      const policy = softmax(logits);
      // Each outcome as often as the policy has it: then the penalty's policy gradient is exact, and its mean changes nothing.
      const penalties = penalizeKl(new Float64Array(3), Float64Array.from(policy), Float64Array.from(reference), 1);
      for (const logit of logits.keys()) {
        let gradient = 0;
        for (const [outcome, logprob] of policy.entries()) {
          const derivative = (outcome === logit ? 1 : 0) - Math.exp(policy[logit] ?? 0);
          gradient += Math.exp(logprob) * (penalties[outcome] ?? 0) * derivative;
        }
        const at = (by: number) => divergence(logits.map((value, index) => value + (index === logit ? by : 0)));
        expect(-gradient).toBeCloseTo((at(step) - at(-step)) / (2 * step), 6);
      }
    }),
  );
});
