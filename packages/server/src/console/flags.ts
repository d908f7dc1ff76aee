/** Facts about an attempt or a group that simple rules find, each with its bit in the index. Older data also have the bit 2. */
export const flagBits = {
  /** The attempt has no trajectory. */
  exception: 1,
  /** One of at least three attempts of a group with the same last answer. */
  "same-answer": 4,
  /** The token limit cut off the last answer. */
  cut: 8,
  /** The policy was more than two steps old when the attempt ended. */
  stale: 16,
  /** All rewards of the group are the same, so comparing them teaches nothing. */
  flat: 32,
  /** It is the only attempt of its group. */
  single: 64,
  /** A training job used it. */
  trained: 128,
  /** Only a training job has it: it was never logged. */
  "not-logged": 256,
} as const;

type FlagBit = keyof typeof flagBits;

/** `flat` has two names: for rewards in the lower half of their range, and in the upper half. */
export type Flag = Exclude<FlagBit, "flat"> | "flat-low" | "flat-high";

/**
 * The names of the bits that are set.
 *
 * @param mean the mean of the group
 * @param middle the middle of the rewards' range
 */
export function flagsOf(bits: number, mean: number | null, middle: number): Flag[] {
  return (Object.keys(flagBits) as FlagBit[])
    .filter((flag) => (bits & flagBits[flag]) !== 0)
    .map((flag) => (flag === "flat" ? (mean !== null && mean >= middle ? "flat-high" : "flat-low") : flag));
}
