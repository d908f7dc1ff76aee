import fc from "fast-check";
import { expect, it } from "vitest";
import { advantagesOf, type AdvantageSettings } from "@trainyard/training/rollouts";
import { rewardStdDev } from "./advantage.ts";

const plain: AdvantageSettings = { scaleRewards: false, normalizeAdvantages: false, advantageBalance: 0 };
const reward = fc.double({ min: -100, max: 100, noNaN: true });
const groups = fc.array(fc.array(reward, { minLength: 0, maxLength: 6 }), { maxLength: 5 });
const settings = fc.record({
  scaleRewards: fc.boolean(),
  normalizeAdvantages: fc.boolean(),
  advantageBalance: fc.double({ min: -1, max: 1, noNaN: true }),
});

/** The same, in loops, one thing after another. */
function plainly(rewards: number[][], { scaleRewards, normalizeAdvantages, advantageBalance }: AdvantageSettings) {
  const result: number[][] = [];
  const all: number[] = [];
  for (const group of rewards) {
    let sum = 0;
    for (const one of group) sum += one;
    const center = sum / group.length;
    let squares = 0;
    for (const one of group) squares += (one - center) * (one - center);
    const deviation = Math.sqrt(squares / group.length);
    const isEqual = group.every((one) => Math.abs(one - (group[0] ?? 0)) < 1e-9);
    const advantages: number[] = [];
    for (const one of group) {
      let advantage = isEqual ? 0 : one - center;
      if (scaleRewards && !isEqual) advantage /= deviation;
      advantages.push(advantage);
      if (!isEqual) all.push(advantage);
    }
    result.push(advantages);
  }
  let divisor = 1;
  if (normalizeAdvantages && all.length > 0) {
    let sum = 0;
    for (const one of all) sum += one;
    let squares = 0;
    for (const one of all) squares += (one - sum / all.length) ** 2;
    divisor = Math.sqrt(squares / all.length);
  }
  for (const group of result) {
    for (let index = 0; index < group.length; index++) {
      let advantage = (group[index] ?? 0) / divisor;
      if (advantage > 0 && advantageBalance < 0) advantage *= 1 + advantageBalance;
      if (advantage < 0 && advantageBalance > 0) advantage *= 1 - advantageBalance;
      group[index] = advantage;
    }
  }
  return result;
}

it("agrees with a reference computation, whatever the settings", () => {
  fc.assert(
    fc.property(groups, settings, (rewards, how) => {
      // Between equal and different lies rounding; that is tested below.
      fc.pre(
        rewards.every((group) => group.every((one) => one === group[0] || Math.abs(one - (group[0] ?? 0)) > 1e-6)),
      );
      const { values } = advantagesOf(rewards, how);
      for (const [index, group] of plainly(rewards, how).entries()) {
        for (const [at, expected] of group.entries()) expect(values[index]?.[at]).toBeCloseTo(expected, 6);
      }
    }),
  );
});

it("trains nothing in a group whose rewards are equal, or differ only by rounding", () => {
  for (const scaleRewards of [true, false]) {
    const { values, trainable } = advantagesOf([[1, 1, 1], [0.1 + 0.2, 0.3], [7], [], [0, 1e-10]], {
      ...plain,
      scaleRewards,
    });
    expect(trainable).toEqual([false, false, false, false, true]);
    expect(values.slice(0, 4)).toEqual([[0, 0, 0], [0, 0], [0], []]);
  }
  // What is not trained takes no part in the batch's deviation.
  const normalized = { ...plain, normalizeAdvantages: true };
  expect(
    advantagesOf(
      [
        [0, 2],
        [5, 5],
      ],
      normalized,
    ).values,
  ).toEqual([
    [-1, 1],
    [0, 0],
  ]);
});

it("measures the deviation of rewards as Log does", () => {
  expect(rewardStdDev([[0, 2], [4, 4], [9]])).toBe(0.5);
  expect(rewardStdDev([[9], []])).toBe(0);
});
