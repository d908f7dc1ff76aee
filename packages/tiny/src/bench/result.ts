/** What was measured, and what it is to be. */
export interface Result {
  readonly what: string;
  /** With its unit. */
  readonly measured: string;
  /** What is asked for, in words; nothing where it is told for information. */
  readonly bar?: string;
  readonly met?: boolean;
}

/** The middle one of some numbers, or the value below which a share of them lies. */
export function quantile(values: readonly number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
