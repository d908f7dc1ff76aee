import type { Curve } from "../api/answers.ts";
import { expect, it } from "vitest";
import { figuresOf } from "./figures.ts";

/** The curve of a run without attempts, whose jobs have these figures. */
const curve = (...names: string[]): Curve => ({
  split: "train",
  range: {
    low: 0,
    high: 1,
  },
  step: [],
  n: [],
  mean: [],
  min: [],
  max: [],
  sd: [],
  cells: [],
  flat_low: [],
  flat_high: [],
  exceptions: [],
  tokens: {
    p50: [],
    p90: [],
  },
  metrics: {},
  training: {
    step: [1, 2],
    metrics: Object.fromEntries(names.map((name) => [name, [0.2, 0.1]])),
  },
});

it.each([
  [["kl"], ["KL to the sampler"], []],
  [["kl", "kl_reference"], ["KL to the reference"], ["KL to the sampler"]],
  [["kl_ref"], ["KL to the reference"], []],
  [["kl", "loss", "policy_loss", "entropy"], ["KL to the sampler", "Entropy", "Loss"], ["training: policy_loss"]],
])("draws %j as %j", (names, shown, others) => {
  const figures = figuresOf(curve(...names), undefined);
  expect(figures.shown.map(({ label }) => label)).toEqual(shown);
  expect(figures.others.map(({ label }) => label)).toEqual(others);
});

it("says what the KL is measured to, and how much that is in an answer", () => {
  const figures = figuresOf(
    { ...curve("kl_reference"), step: [0, 1], tokens: { p50: [10, 20], p90: [12, 22] } },
    undefined,
    "step 0",
  );
  expect(figures.shown.at(-1)).toMatchObject({ label: "KL to the reference (step 0)", tokens: [10, 20] });
});

it.each([
  [[0.5, 0.6, 0.7], "+20.0 in 2 steps"],
  [[0.5, 0.6], "+10.0 in 1 step"],
  [[0.5], undefined],
  [[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8], "+60.0 in 5 steps"],
])("counts the steps that there are: %j", (pass, note) => {
  const steps = { step: pass.map((_, at) => at), n: pass.map(() => 4), metrics: { pass } };
  expect(figuresOf({ ...curve(), ...steps }, undefined).shown[0]?.note).toBe(note);
});
