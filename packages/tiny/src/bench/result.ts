/** A measured figure and its limit. */
export interface Result {
  readonly what: string;
  /** With its unit. */
  readonly measured: string;
  /** The limit in words; absent for figures that are only printed. */
  readonly bar?: string;
  readonly met?: boolean;
}

/** The value below which a share of the numbers lies: 0.5 for the median. */
export function quantile(values: readonly number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
