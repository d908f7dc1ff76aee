import { rewardsDiffer } from "../rollouts/rewards-differ.ts";
import { changeOf, sum, type Change, type ValuesOf } from "./change.ts";
import type { GroupFigures, JobFigures, RunFigures, StepFigures } from "./history.ts";
import { attemptFlags } from "./reading.ts";

/** A result of a rule: figures by name, a sentence with them, and where to look at it. */
export interface Found {
  readonly severity: "failure" | "warning" | "note";
  readonly text: string;
  readonly values: Readonly<Record<string, number | string>>;
  /** The page of the console, and the query of its list. */
  readonly filter: Readonly<Record<string, string>>;
}

/** What a rule looks at. */
export interface Looked {
  readonly run: RunFigures;
  /** The newest step. */
  readonly now: StepFigures;
  /** The last two steps: an illness that lasts is in both. */
  readonly after: readonly StepFigures[];
  readonly before: readonly StepFigures[];
  readonly jobs: readonly JobFigures[];
  /** A reward as a part of the run's range: 0 is its lowest, 1 its highest. */
  readonly unit: (reward: number) => number;
  /** A change in parts of the range, as a reward. */
  readonly ofRange: (part: number) => number;
  readonly reward: Change | undefined;
}

/** A rule: what it found, null if nothing, or why it could not look, as a sentence. */
export type Rule = (looked: Looked) => Found | null | string;

/** The smallest effect, in parts of the range. */
export const smallest = 0.05;

export const tooFew = "Fewer than three steps have rewards that can be compared.";

export type AttemptRule =
  | "job-failed"
  | "exceptions-as-rewards"
  | "stale-policy"
  | "cut-by-length"
  | "no-movement"
  | "entropy-collapse"
  | "same-answers";
export type RewardRule =
  | "train-over-held-out"
  | "length-hacking"
  | "drift"
  | "reward-fell"
  | "never-a-reward"
  | "no-signal"
  | "no-tool"
  | "single";
export type RuleName = AttemptRule | RewardRule;

/** By how much the reward fell: in the last two steps, or in the newest alone; undefined if it did not by more than its error. */
export function fallOf({ reward, before, now, unit }: Looked): { change: Change; isLasting: boolean } | undefined {
  const last = changeOf(before, [now], ({ rewards }) => rewards.map(unit));
  if (reward === undefined || last === undefined) return undefined;
  const least = Math.max(smallest, reward.least);
  if (reward.change <= -least && last.change <= -least / 2) return { change: reward, isLasting: true };
  const isNew = last.tasks.length > 0 && last.change <= -Math.max(smallest, last.least);
  return isNew ? { change: last, isLasting: false } : undefined;
}

/** The tasks whose reward fell by more than its error and by the smallest effect, those that carry most of it first. */
export function fallenOf(reward: Change | undefined): Change["tasks"] {
  return (reward?.tasks ?? [])
    .filter(({ change, error }) => change < -Math.max(smallest, 2 * error))
    .toSorted((a, b) => a.change * a.weight - b.change * b.weight);
}

/** A share of the attempts of the last steps. It is a warning if it rose, or if it is always at least as high. */
export function shareOf(
  { before, after }: Looked,
  isOne: (group: GroupFigures) => readonly boolean[],
  { rise, always = Infinity }: { rise: number; always?: number },
): Pick<Found, "severity"> & { share: number; count: number; from?: number } {
  const all = groupsOf(after).flatMap(isOne);
  const count = all.filter(Boolean).length;
  if (count === 0) return { severity: "note", share: 0, count };
  const valuesOf: ValuesOf = (group) => isOne(group).map(Number);
  const shares = after.map(({ groups }) => mean(groups.flatMap(valuesOf) as number[]) ?? 0);
  const change = changeOf(before, after, valuesOf);
  const rose =
    change !== undefined &&
    change.change >= Math.max(rise, change.least) &&
    shares.every((one) => one - change.from >= rise / 2);
  const isWarning = rose || (shares.length > 1 && shares.every((one) => one >= always));
  return {
    severity: isWarning ? "warning" : "note",
    share: count / all.length,
    count,
    ...(change && { from: change.from }),
  };
}

export function flagged(flag: keyof typeof attemptFlags): (group: GroupFigures) => boolean[] {
  return ({ marks }) => marks.map((mark) => (mark & attemptFlags[flag]) !== 0);
}

/** A metric that went with the reward, its highest value, and its changes: over the last steps, and at the last one. */
export interface CheckedMetric {
  readonly name: string;
  readonly top: number;
  readonly change: Change;
  readonly last: Change | undefined;
}

/** Metrics that went with the reward until the last steps, so that they check it, with their highest value. */
export function checkedMetrics({ before, after, now, run, unit }: Looked): CheckedMetric[] {
  const names = new Set(groupsOf(after).flatMap(({ metrics }) => Object.keys(metrics)));
  // Without the newest of them, which may already have another reward.
  const earlier = groupsOf(before.length > 1 ? before.slice(0, -1) : before);
  return [...names].flatMap((name) => {
    const pairs = earlier.flatMap(({ metrics, rewards }) =>
      rewards.flatMap((reward, at) => {
        const value = metrics[name]?.[at];
        return value == null ? [] : [[unit(reward), value] as const];
      }),
    );
    if (!goesWithReward(pairs)) return [];
    const valuesOf: ValuesOf = ({ metrics, rewards }) => rewards.map((_, at) => metrics[name]?.[at]);
    const [change, last] = [changeOf(before, after, valuesOf), changeOf(before, [now], valuesOf)];
    const top = groupsOf(run.steps).reduce(
      (most, { metrics }) =>
        Object.values(metrics[name] ?? {}).reduce<number>((high, one) => Math.max(high, one ?? 0), most),
      0,
    );
    return change !== undefined && top > 0 ? [{ name, top, change, last }] : [];
  });
}

/** Whether a metric is correlated with the reward, or both are at the top all the time. */
export function goesWithReward(pairs: readonly (readonly [reward: number, value: number])[]): boolean {
  if (pairs.length < 16) return false;
  const [x, y] = [mean(pairs.map(([reward]) => reward)) ?? 0, mean(pairs.map(([, value]) => value)) ?? 0];
  const [xx, yy] = [sum(pairs, ([reward]) => (reward - x) ** 2), sum(pairs, ([, value]) => (value - y) ** 2)];
  if (yy === 0) return y > 0 && x > 0.9;
  return sum(pairs, ([reward, value]) => (reward - x) * (value - y)) >= 0.3 * Math.sqrt(xx * yy) && xx > 0;
}

/** Of the groups with at least two rewards: how many are flat, and the share of those below the best reward of their task. */
export function flatBelow(
  looked: Looked,
  steps: readonly StepFigures[],
): Record<"compared" | "any" | "share" | "high" | "highBelow" | "level" | "answers", number> {
  const groups = groupsOf(steps).filter(({ rewards }) => rewards.length > 1);
  const flat = groups.filter(isFlat);
  const below = flat.filter((group) => isBelow(looked, group));
  const high = (some: readonly GroupFigures[]) =>
    some.filter(({ rewards: [reward = 0] }) => looked.unit(reward) >= 0.5).length / Math.max(1, groups.length);
  return {
    compared: groups.length,
    any: flat.length,
    share: below.length / Math.max(1, groups.length),
    high: high(flat),
    highBelow: high(below),
    level: mean(groups.flatMap(({ rewards }) => rewards.map(looked.unit))) ?? 0,
    answers: mean(groups.map(({ answers, rewards }) => answers / rewards.length)) ?? 0,
  };
}

export function isFlat({ rewards }: GroupFigures): boolean {
  return rewards.length > 1 && !rewardsDiffer(rewards);
}

/** Whether the first reward of a group is below the best one of its task; the run's own for a task that had no other. */
export function isBelow({ run, unit }: Looked, { task, rewards: [reward = 0] }: GroupFigures): boolean {
  return unit(reward) < unit(run.best.get(task) ?? reward) - smallest || unit(reward) <= 1e-9;
}

/** Whether a job trained without moving the model, although there was something to learn. */
export function isStill({ step, updates }: JobFigures, run: RunFigures): boolean {
  const groups = run.steps.find((one) => one.step === step - 1)?.groups ?? [];
  const trainable =
    updates[0]?.["num_groups_trainable"] ?? groups.filter(({ rewards }) => rewardsDiffer(rewards)).length;
  return trainable > 0 && updates.every((update) => update["learning_rate"] === 0 || update["gradient_norm"] === 0);
}

/** The mean reward of steps, in parts of the range. */
export function levelOf({ unit }: Looked, steps: readonly StepFigures[]): number {
  return mean(groupsOf(steps).flatMap(({ rewards }) => rewards.map(unit))) ?? 0;
}

export function rewardOf({ after }: Looked): number {
  return mean(groupsOf(after).flatMap(({ rewards }) => rewards)) ?? 0;
}

export function filterOf({ now, run }: Looked, page: string, query: Readonly<Record<string, string>>): Found["filter"] {
  return { page, step: String(now.step), split: run.split, ...query };
}

export function groupsOf(steps: readonly StepFigures[]): GroupFigures[] {
  return steps.flatMap(({ groups }) => groups);
}

export function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The mean, also of numbers whose sum would be too large. */
export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((all, value) => all + value / values.length, 0);
}

export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

export function steps({ length }: readonly unknown[]): string {
  return length === 1 ? "step" : `${length} steps`;
}

export function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

export function signed(value: number): string {
  return value < 0 ? `−${short(-value)}` : `+${short(value)}`;
}

/** A number with two significant digits, in words of JSON: `0.27`, `120`, `1.2e-6`. */
export function short(value: number): string {
  return String(
    Math.abs(value) >= 100 && Math.abs(value) < 1e15 ? Math.round(value) : Number(value.toPrecision(2)),
  ).replace("-", "−");
}
