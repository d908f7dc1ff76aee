import type { RewardRange } from "../api/answers.ts";

/** The values of a figure by step; null where one is missing. */
export type Values = readonly (number | null)[];

/** Maps a value to a position on the page. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  // The difference of the halves is finite for all values.
  const span = to / 2 - from / 2 || 0.5;
  return (value: number): number => start + ((value / 2 - from / 2) / span) * (end - start);
}

/** The reward at a share of a range. */
export function between({ low, high }: RewardRange, share: number): number {
  return low * (1 - share) + high * share;
}

/** Maps a reward to a position. A reward outside of the range has the nearest position. */
export function rewardScale({ low, high }: RewardRange, ends: readonly [number, number]) {
  const scale = linear([low, high], ends);
  return (reward: number): number => scale(Math.max(low, Math.min(high, reward)));
}

/** A line through the known values. */
export function linePath(values: Values, x: (at: number) => number, y: (value: number) => number): string {
  let path = "";
  for (const [at, value] of values.entries())
    if (value !== null) path += `${path === "" ? "M" : "L"}${x(at).toFixed(1)},${y(value).toFixed(1)}`;
  return path;
}

/** The lowest and the highest known value. */
export function extent(values: Values): [number, number] {
  const known = values.filter((one) => one !== null);
  return known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)];
}

/** At most this many indices of a list, including the first and the last. */
export function ticks(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, at) => at);
  return [...new Set(Array.from({ length: most }, (_, at) => Math.round((at * (length - 1)) / (most - 1))))];
}
