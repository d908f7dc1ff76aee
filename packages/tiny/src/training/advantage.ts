import { rewardsDiffer } from "@trainyard/training/rollouts";

/** How rewards become advantages. */
export interface AdvantageSettings {
  /** Divides the advantages of a group by the standard deviation of its rewards; true by default. */
  readonly scaleRewards: boolean;
  /** Divides all advantages by their standard deviation over the batch; false by default. */
  readonly normalizeAdvantages: boolean;
  /** Weighs positive against negative advantages, from -1 to 1; 0 by default. */
  readonly advantageBalance: number;
}

/** The advantages of a batch of groups. */
export interface Advantages {
  /** The advantage of each trajectory of each group. */
  readonly values: readonly (readonly number[])[];
  /** Whether a group contributes to training. It does not if all of its rewards are equal. */
  readonly trainable: readonly boolean[];
}

/**
 * The group-relative advantages of GRPO (DeepSeekMath, Shao et al. 2024, arXiv:2402.03300), group by group:
 *
 *     A_i = r_i − mean(r)                        and with `scaleRewards`   A_i = (r_i − mean(r)) / std(r)
 *
 * `std` is the population's standard deviation. A group whose rewards are all equal has nothing to compare: its
 * advantages are 0, it is not trainable, and it takes no part in what follows. Rewards that differ by rounding alone
 * count as equal.
 *
 * `normalizeAdvantages` then divides by the standard deviation σ of the advantages of all trainable groups, taken about
 * their mean, which is 0. `advantageBalance` b comes last and favors one sign, without turning any advantage around:
 *
 *     A > 0:  A · min(1, 1 + b)                  A < 0:  A · min(1, 1 − b)
 *
 * so that 0 leaves both alike, 1 leaves only the positive ones and -1 only the negative ones.
 */
export function advantagesOf(rewards: readonly (readonly number[])[], settings: AdvantageSettings): Advantages {
  const trainable = rewards.map(rewardsDiffer);
  const relative = rewards.map((group, index) =>
    trainable[index] === true ? groupAdvantages(group, settings.scaleRewards) : group.map(() => 0),
  );
  const learned = relative.filter((_, index) => trainable[index] === true).flat();
  const sigma = settings.normalizeAdvantages && learned.length > 0 ? standardDeviation(learned) : 1;
  const positive = Math.min(1, 1 + settings.advantageBalance);
  const negative = Math.min(1, 1 - settings.advantageBalance);
  const weigh = (advantage: number) => ((advantage > 0 ? positive : negative) * advantage) / sigma;
  return { values: relative.map((group) => group.map(weigh)), trainable };
}

/**
 * How far the rewards of a group differ, as in Log: the mean of the population standard deviation over the groups with
 * at least two trajectories; 0 if there is no such group.
 */
export function rewardStdDev(rewards: readonly (readonly number[])[]): number {
  const deviations = rewards.filter(({ length }) => length > 1).map(standardDeviation);
  return deviations.length === 0 ? 0 : mean(deviations);
}

export function mean(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}

/** The population standard deviation. */
function standardDeviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
}

function groupAdvantages(rewards: readonly number[], scale: boolean): number[] {
  const center = mean(rewards);
  const divisor = scale ? standardDeviation(rewards) : 1;
  return rewards.map((reward) => (reward - center) / divisor);
}
