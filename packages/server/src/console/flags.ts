import { attemptFlags } from "./reading.ts";

type FlagBit = keyof typeof attemptFlags | "flat" | "single" | "trained" | "not-logged";

/** Facts about an attempt or a group that simple rules find, each with its bit in the index. */
export const flagBits: Readonly<Record<FlagBit, number>> = {
  ...attemptFlags,
  /** All rewards of the group are the same, so comparing them teaches nothing. */
  flat: 32,
  /** It is the only attempt of its group. */
  single: 64,
  /** A training job used it. */
  trained: 128,
  /** Only a training job has it: it was never logged. */
  "not-logged": 256,
};

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
