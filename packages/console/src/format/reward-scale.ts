/** The range of rewards that a color scale shows. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The degree of a reward, from 0 (low) to 6 (high). A reward outside of the range has the nearest degree. */
export function rewardDegree(reward: number, { low, high }: Range): number {
  return Math.max(0, Math.min(6, Math.round(((reward - low) / (high - low)) * 6)));
}

/** The colors of text on a degree: the ends and their neighbours contrast with one of black and white. */
const texts = ["paper", "on-mid", "ink", "ink", "ink", "on-mid", "paper"];

/** The color of a reward, and that of text on it. */
export function rewardStyle(reward: number, range: Range): { background: string; color: string } {
  const degree = rewardDegree(reward, range);
  return { background: `var(--r${degree})`, color: `var(--${texts[degree]})` };
}
