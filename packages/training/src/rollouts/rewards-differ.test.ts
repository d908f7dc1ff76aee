import { expect, it } from "vitest";
import { rewardsDiffer } from "./index.ts";

it("tells rewards that differ from those that are equal, or differ only by rounding", () => {
  for (const equal of [[], [7], [1, 1, 1], [0, -0], [0.1 + 0.2, 0.3, 0.3, 0.3], [-0.3, -0.1 - 0.2], [3e300, 1e300 * 3]])
    expect(rewardsDiffer(equal)).toBe(false);
  for (const different of [
    [0, 1],
    [0, 1e-10],
    [0.3, 0.300_001],
    [-1e300, 1e300],
  ])
    expect(rewardsDiffer(different)).toBe(true);
});
