import { spreadOf } from "@trainyard/training/rollouts";

/**
 * How far the rewards of a group differ, as in Log: the mean of the population standard deviation over the groups with
 * at least two trajectories; 0 if there is no such group.
 */
export function rewardStdDev(rewards: readonly (readonly number[])[]): number {
  return mean(rewards.filter(({ length }) => length > 1).map((group) => spreadOf(group).sd ?? 0));
}

export function mean(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}
