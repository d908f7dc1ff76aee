/** The range of rewards that a color scale shows. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The color of a reward, from 0 (low) to 6 (high). A reward outside of the range has the nearest color. */
export function rewardClass(reward: number, { low, high }: Range): number {
  return Math.max(0, Math.min(6, Math.round(((reward - low) / (high - low)) * 6)));
}
