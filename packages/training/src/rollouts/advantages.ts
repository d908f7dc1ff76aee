import { rewardsDiffer } from "./rewards-differ.ts";

/** How far values lie apart; null for no values. */
export interface Spread {
  readonly mean: number | null;
  /** The population standard deviation; 0 for values that do not differ. */
  readonly sd: number | null;
  readonly lo: number | null;
  readonly hi: number | null;
}

/** The spread of the rewards of a group. No sum overflows, whatever their size. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return { mean: null, sd: null, lo: null, hi: null };
  // As arguments of one call, the rewards of 10⁵ attempts would be too many.
  const lo = values.reduce((least, value) => Math.min(least, value));
  const hi = values.reduce((most, value) => Math.max(most, value));
  if (!rewardsDiffer(values)) return { mean: lo, sd: 0, lo, hi };
  // A power of two, so that usual values are divided without rounding.
  const unit = 2 ** Math.floor(Math.log2(Math.max(Math.abs(lo), Math.abs(hi))));
  const mean = values.reduce((sum, value) => sum + value / unit, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value / unit - mean) ** 2, 0) / values.length;
  return { mean: mean * unit, sd: Math.min(Math.sqrt(variance) * unit, Number.MAX_VALUE), lo, hi };
}

/** How rewards become advantages. */
export interface AdvantageSettings {
  /** Divides the advantages of a group by the standard deviation of its rewards; true by default. */
  readonly scaleRewards: boolean;
  /** Divides all advantages by their standard deviation over the batch; false by default. */
  readonly normalizeAdvantages: boolean;
  /** Weighs positive against negative advantages, from -1 to 1; 0 by default. */
  readonly advantageBalance: number;
}

/** The settings that a trainer uses if none are sent. */
export const defaultAdvantages: AdvantageSettings = {
  scaleRewards: true,
  normalizeAdvantages: false,
  advantageBalance: 0,
};

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
export function advantagesOf(
  rewards: readonly (readonly number[])[],
  settings: AdvantageSettings = defaultAdvantages,
): Advantages {
  const trainable = rewards.map(rewardsDiffer);
  const relative = rewards.map((group, index) => {
    if (trainable[index] !== true) return group.map(() => 0);
    const { mean, sd } = spreadOf(group);
    // Divided first, because the difference of two large rewards may be larger than any number.
    const divisor = settings.scaleRewards ? (sd ?? 1) : 1;
    return group.map((reward) =>
      divisor > 1e150 ? reward / divisor - (mean ?? 0) / divisor : (reward - (mean ?? 0)) / divisor,
    );
  });
  const learned = relative.filter((_, index) => trainable[index] === true).flat();
  const sigma = settings.normalizeAdvantages && learned.length > 0 ? (spreadOf(learned).sd ?? 1) : 1;
  const positive = Math.min(1, 1 + settings.advantageBalance);
  const negative = Math.min(1, 1 - settings.advantageBalance);
  const weigh = (advantage: number) => ((advantage > 0 ? positive : negative) * advantage) / sigma;
  return { values: relative.map((group) => group.map(weigh)), trainable };
}
