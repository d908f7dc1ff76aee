import type { Database } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { flagBits } from "./flags.ts";

/** The values of a group that a step's summary is calculated from. */
export interface CountedGroup {
  /** Attempts with a reward. */
  readonly attempts: number;
  readonly mean: number | null;
  readonly sd: number | null;
}

/** The values of an attempt that a step's summary is calculated from. */
export interface CountedAttempt {
  /** Null if the attempt ended in an exception. */
  readonly reward: number | null;
  readonly tokens: number | null;
  readonly flags: number;
  readonly metrics: Readonly<Record<string, number>>;
}

const counted = ["groups", "compared", "exceptions", "cut", "stale", "noTool", "sameAnswer"] as const;
type Count = (typeof counted)[number];

/** The summary of one split's attempts at a step, or at several steps that are shown as one. Groups can be added to it. */
export class StepSummary implements Readonly<Record<Count, number>> {
  readonly step: number;
  groups = 0;
  /** Groups whose rewards can be compared: with at least two. */
  compared = 0;
  exceptions = 0;
  cut = 0;
  stale = 0;
  noTool = 0;
  sameAnswer = 0;
  /** The means of the groups without a signal: those with at least two rewards that are all the same. */
  readonly flatMeans: number[] = [];
  readonly #rewards = new Ascending();
  readonly #tokens = new Ascending();
  readonly #metrics = new Map<string, Sum>();
  readonly #rewardSum = new Sum();
  readonly #deviations = new Sum();

  constructor(step: number) {
    this.step = step;
  }

  /** The rewards, in ascending order. */
  get rewards(): readonly number[] {
    return this.#rewards.values;
  }

  /** The known numbers of tokens, in ascending order. */
  get tokens(): readonly number[] {
    return this.#tokens.values;
  }

  get mean(): number | null {
    return this.#rewardSum.mean;
  }

  /** The mean of the deviations of the groups with at least two. */
  get sd(): number | null {
    return this.#deviations.mean;
  }

  /** The mean of each metric over those that have it. */
  get metrics(): ReadonlyMap<string, number | null> {
    return new Map([...this.#metrics].map(([name, { mean }]) => [name, mean]));
  }

  addGroup({ attempts, mean, sd }: CountedGroup): void {
    this.groups++;
    if (attempts < 2 || mean === null || sd === null) return;
    this.compared++;
    this.#deviations.add(sd);
    if (sd === 0) this.flatMeans.push(mean);
  }

  addAttempt({ reward, tokens, flags, metrics }: CountedAttempt): void {
    if (reward === null) this.exceptions++;
    else {
      this.#rewards.add(reward);
      this.#rewardSum.add(reward);
    }
    if (tokens !== null) this.#tokens.add(tokens);
    if (flags & flagBits.cut) this.cut++;
    if (flags & flagBits.stale) this.stale++;
    if (flags & flagBits["no-tool"]) this.noTool++;
    if (flags & flagBits["same-answer"]) this.sameAnswer++;
    for (const name in metrics) this.#sumOf(name).add(metrics[name] ?? 0);
  }

  /** Adds all attempts and groups of another summary to this one. */
  include(other: StepSummary): void {
    for (const name of counted) this[name] += other[name];
    for (const mean of other.flatMeans) this.flatMeans.push(mean);
    for (const reward of other.rewards) this.#rewards.add(reward);
    for (const length of other.tokens) this.#tokens.add(length);
    this.#rewardSum.include(other.#rewardSum);
    this.#deviations.include(other.#deviations);
    for (const [name, sum] of other.#metrics) this.#sumOf(name).include(sum);
  }

  #sumOf(name: string): Sum {
    let sum = this.#metrics.get(name);
    if (sum === undefined) this.#metrics.set(name, (sum = new Sum()));
    return sum;
  }
}

/** Reads a step from the index. */
export function readStep(index: Database, of: { run: number; split: string; step: number }): StepSummary {
  const summary = new StepSummary(of.step);
  const where = "run = :run and split = :split and step = :step";
  for (const row of index.all(`select attempts, mean, sd from groups where ${where}`, of)) {
    summary.addGroup({
      attempts: number(row, "attempts"),
      mean: numberOrNull(row, "mean"),
      sd: numberOrNull(row, "sd"),
    });
  }
  for (const row of index.all(`select reward, tokens, flags, metrics from rollouts where ${where}`, of)) {
    const metrics = text(row, "metrics");
    summary.addAttempt({
      reward: numberOrNull(row, "reward"),
      tokens: numberOrNull(row, "tokens"),
      flags: number(row, "flags"),
      metrics: metrics === "{}" ? {} : (JSON.parse(metrics) as Record<string, number>),
    });
  }
  return summary;
}

/** The value below which a share of sorted values lies: the nearest rank. */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** Numbers that are sorted when they are read. */
class Ascending {
  readonly #values: number[] = [];
  #isSorted = true;

  get values(): readonly number[] {
    // The sort merges sorted runs, so new numbers after sorted ones cost little.
    if (!this.#isSorted) this.#values.sort((a, b) => a - b);
    this.#isSorted = true;
    return this.#values;
  }

  add(value: number): void {
    this.#values.push(value);
    this.#isSorted = false;
  }
}

class Sum {
  #total = 0;
  #count = 0;

  get mean(): number | null {
    return this.#count === 0 ? null : this.#total / this.#count;
  }

  add(value: number): void {
    this.#total += value;
    this.#count++;
  }

  include(other: Sum): void {
    this.#total += other.#total;
    this.#count += other.#count;
  }
}
