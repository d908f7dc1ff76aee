import type { Curve } from "@trainyard/local";
import { expect, it } from "vitest";
import { findingText } from "../parts/findings.tsx";
import { figuresOf } from "./figures.ts";

/** The curve of a run without attempts, whose jobs have these figures. */
const curve = (...names: string[]): Curve => ({
  split: "train",
  range: {
    low: 0,
    high: 1,
  },
  bucket: 1,
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
  [["kl", "kl_reference"], ["KL to base"], ["training: kl"]],
  [["kl_ref"], ["KL to base"], []],
  [["kl", "loss", "policy_loss", "entropy"], ["KL to the sampler", "Entropy", "Loss"], ["training: policy_loss"]],
])("draws %j as %j", (names, shown, others) => {
  const figures = figuresOf(curve(...names), undefined);
  expect(figures.shown.map(({ label }) => label)).toEqual(shown);
  expect(figures.others.map(({ label }) => label)).toEqual(others);
});

it.each([
  ["kl", "KL to the sampler"],
  ["kl_reference", "KL to base"],
])("says which KL grows: %s", (metric, label) => {
  const values = { from: 0.01, to: 0.2, since: 3, metric };
  expect(findingText({ rule: "kl", severity: "warning", step: 8, values, filter: {} }).text).toContain(label);
});
