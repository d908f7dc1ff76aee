/**
 * Whether the rewards of a group differ, so that a model can learn from them. The trainer of the tiny model and the console
 * use this rule. Rewards that differ only by rounding, as 0.1 + 0.2 and 0.3 do, count as equal: divided by their deviation,
 * the rounding error would become an advantage of 1.
 */
export function rewardsDiffer(rewards: readonly number[]): boolean {
  const least = rewards.reduce((low, reward) => Math.min(low, reward), Infinity);
  const most = rewards.reduce((high, reward) => Math.max(high, reward), -Infinity);
  return most - least > 1e-12 * Math.max(Math.abs(least), Math.abs(most));
}
