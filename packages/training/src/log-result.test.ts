import { expect, it } from "vitest";
import { isLogResult } from "./log-result.ts";

it.each<[boolean, string, unknown]>([
  [true, "metrics and step", { metrics: { "val/reward": 0.75, "val/reward_std_dev": 0 }, step: 3 }],
  [true, "no metrics, for no trajectories", { metrics: {}, step: 0 }],
  [true, "more than is known", { metrics: {}, step: 0, run: "r-1" }],
  [false, "no step", { metrics: {} }],
  [false, "half a step", { metrics: {}, step: 0.5 }],
  [false, "no metrics", { step: 0 }],
  [false, "a list of metrics", { metrics: [0.75], step: 0 }],
  [false, "a metric that is no number", { metrics: { "val/reward": null }, step: 0 }],
  [false, "null", null],
  [false, "a list", []],
  [false, "text", "ok"],
])("%s: %s", (expected, _, value) => {
  expect(isLogResult(value)).toBe(expected);
});
