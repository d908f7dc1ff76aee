/** The median of the measurements, and their middle half. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => {
    const place = (sorted.length - 1) * part;
    const below = sorted[Math.floor(place)] ?? NaN;
    const above = sorted[Math.ceil(place)] ?? NaN;
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Each value relative to the one of the same round, because what slows a round down slows both. */
export function ratios(values: readonly number[], base: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (base[round] ?? NaN)));
}
