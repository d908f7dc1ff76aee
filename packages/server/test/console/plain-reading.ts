/** The figures of the console, calculated again in the simplest way: whole bodies, one loop for each figure. */

import { expect } from "vitest";

interface PlainTrajectory {
  readonly reward?: number;
  readonly metrics?: Readonly<Record<string, number | boolean>>;
  readonly messages_and_choices?: readonly object[];
}

export interface PlainGroup {
  readonly trajectories: readonly PlainTrajectory[];
  readonly exceptions?: readonly object[];
}

/** The body of a log at a step. */
export interface PlainLog {
  readonly step: number;
  readonly split: string;
  readonly groups: readonly PlainGroup[];
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const rewardsOf = ({ trajectories }: PlainGroup): number[] => trajectories.map(({ reward }) => reward ?? 0);

export function plainSpread(group: PlainGroup): {
  mean: number | null;
  sd: number | null;
  advantages: (number | null)[];
} {
  const rewards = rewardsOf(group);
  const center = mean(rewards);
  const sd = center === null ? null : Math.sqrt(mean(rewards.map((reward) => (reward - center) ** 2)) ?? 0);
  const isFlat = new Set(rewards).size === 1;
  return {
    mean: center,
    sd: isFlat ? 0 : sd,
    advantages: rewards.map((reward) => {
      if (rewards.length < 2 || center === null || sd === null) return null;
      return isFlat ? 0 : (reward - center) / sd;
    }),
  };
}

/** The number of tokens of a choice, according to its log probabilities. */
function lengthOf(choice: object | undefined): number[] {
  const logprobs = choice && "logprobs" in choice ? choice.logprobs : undefined;
  const content = typeof logprobs === "object" && logprobs && "content" in logprobs ? logprobs.content : undefined;
  return Array.isArray(content) ? [content.length] : [];
}

/** A split by step. */
export function plainCurve(logs: readonly PlainLog[], split: string) {
  const ofSplit = logs.filter((log) => log.split === split);
  const all = logs.flatMap(({ groups }) => groups.flatMap(rewardsOf)).toSorted((a, b) => a - b);
  const isUsual = all.every((reward) => reward >= 0 && reward <= 1);
  const rank = (share: number) => all[Math.max(0, Math.ceil(all.length * share) - 1)] ?? 0;
  const range = isUsual ? { low: 0, high: 1 } : { low: rank(0.02), high: rank(0.98) };
  const middle = (range.low + range.high) / 2;
  const steps = [...new Set(ofSplit.filter(({ groups }) => groups.length > 0).map(({ step }) => step))].toSorted(
    (a, b) => a - b,
  );
  return steps.map((step) => {
    const groups = ofSplit.filter((log) => log.step === step).flatMap((log) => log.groups);
    const rewards = groups.flatMap(rewardsOf);
    const compared = groups.filter(({ trajectories }) => trajectories.length > 1);
    const flat = compared.filter((group) => new Set(rewardsOf(group)).size === 1);
    const share = (some: readonly PlainGroup[]) => (compared.length === 0 ? null : some.length / compared.length);
    const cells = Array.from({ length: 10 }, () => 0);
    for (const reward of rewards) {
      const tenth = Math.floor(((reward - range.low) / (range.high - range.low)) * 10);
      const at = tenth < 0 ? 0 : tenth > 9 ? 9 : tenth;
      cells[at] = (cells[at] ?? 0) + 1;
    }
    const tokens = groups
      .flatMap(({ trajectories }) =>
        trajectories.flatMap(({ messages_and_choices: [, choice] = [] }) => lengthOf(choice)),
      )
      .toSorted((a, b) => a - b);
    const metric = groups.flatMap(({ trajectories }) =>
      trajectories.flatMap(({ metrics }) => (metrics && "m" in metrics ? Number(metrics["m"]) : [])),
    );
    return {
      step,
      n: rewards.length,
      mean: mean(rewards),
      sd: mean(compared.map((group) => plainSpread(group).sd ?? 0)),
      cells,
      low: share(flat.filter((group) => (rewardsOf(group)[0] ?? 0) < middle)),
      high: share(flat.filter((group) => (rewardsOf(group)[0] ?? 0) >= middle)),
      exceptions: groups.reduce((sum, { exceptions }) => sum + (exceptions?.length ?? 0), 0),
      p50: tokens[Math.ceil(tokens.length * 0.5) - 1] ?? null,
      p90: tokens[Math.ceil(tokens.length * 0.9) - 1] ?? null,
      metric: mean(metric),
    };
  });
}

/** Expects the same values up to rounding, and null at the same places. */
export function expectClose(ours: readonly (number | null)[], others: readonly (number | null)[]): void {
  expect(ours.map((value) => value === null)).toEqual(others.map((value) => value === null));
  for (const [at, value] of ours.entries()) expect(value ?? 0).toBeCloseTo(others[at] ?? 0, 9);
}
