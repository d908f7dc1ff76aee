/** The rewards that a scale shows. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Which of the seven colors a reward has, from 0 (low) to 6 (high). What lies outside has that of the nearest end. */
export function rewardClass(reward: number, { low, high }: Range): number {
  return Math.max(0, Math.min(6, Math.round(((reward - low) / (high - low)) * 6)));
}
