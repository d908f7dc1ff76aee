/** The median of the measurements, and their middle half. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => {
    const index = (sorted.length - 1) * part;
    const below = sorted[Math.floor(index)] ?? NaN;
    const above = sorted[Math.ceil(index)] ?? NaN;
    return below + (above - below) * (index % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Each value relative to the one of the same round, because what slows a round down slows both. */
export function ratios(values: readonly number[], base: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (base[round] ?? NaN)));
}
