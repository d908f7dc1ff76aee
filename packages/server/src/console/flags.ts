/** What can be noticed of an attempt or a group by a plain rule, each with its bit in the index. */
export const flagBits = {
  /** The attempt gave no trajectory, or one of the group's did not. */
  exception: 1,
  /** At least the group's mean, without a tool call, where half of the group called one. */
  "no-tool": 2,
  /** One of at least three attempts of a group with the same last answer. */
  "same-answer": 4,
  /** The last answer was cut off by the limit of tokens. */
  cut: 8,
  /** Ended with a policy more than two steps behind. */
  stale: 16,
  /** All rewards of the group are the same: there is nothing to learn from comparing them. */
  flat: 32,
  /** The only attempt of its group. */
  single: 64,
  /** A training job learned from it. */
  trained: 128,
  /** Known from a training job alone: it was never logged. */
  "not-logged": 256,
} as const;

/** `flat` is told as one of two: the rewards are in the lower half of what they may be, or in the upper one. */
export type Flag = Exclude<keyof typeof flagBits, "flat"> | "flat-low" | "flat-high";

/**
 * The names of the bits that are set.
 *
 * @param mean of the group
 * @param middle of the rewards' range
 */
export function flagsOf(bits: number, mean: number | null, middle: number): Flag[] {
  return (Object.keys(flagBits) as (keyof typeof flagBits)[])
    .filter((flag) => (bits & flagBits[flag]) !== 0)
    .map((flag) => (flag === "flat" ? (mean !== null && mean >= middle ? "flat-high" : "flat-low") : flag));
}
