import type { Database } from "../store/database.ts";
import { number, numberOrNull } from "../store/row.ts";
import { json, listIn } from "./context.ts";

/** The summary of one split's groups at a step, or at several steps that are shown as one. */
export class StepSummary {
  groups = 0;
  /** Groups whose rewards can be compared: with at least two. */
  compared = 0;
  exceptions = 0;
  /** The means of the groups without a signal: those with at least two rewards that are all the same. */
  readonly flatMeans: number[] = [];
  readonly rewards: number[] = [];
  /** The known numbers of tokens, in ascending order. */
  readonly tokens: number[] = [];
  readonly #metrics = new Map<string, Sum>();
  readonly #deviations = new Sum();

  /** @param rows of `groups` */
  constructor(rows: readonly Record<string, unknown>[]) {
    for (const row of rows) {
      this.groups++;
      this.exceptions += number(row, "exceptions");
      this.rewards.push(...listIn(row, "rewards"));
      for (const count of listIn<number | null>(row, "tokens")) if (count !== null) this.tokens.push(count);
      for (const [name, values] of Object.entries(row["metrics"] === null ? {} : json(row, "metrics"))) {
        const sum = this.#metrics.get(name) ?? new Sum();
        this.#metrics.set(name, sum);
        for (const value of Object.values(values as (number | null)[])) if (value !== null) sum.add(value);
      }
      const [mean, sd] = [numberOrNull(row, "mean"), numberOrNull(row, "sd")];
      if (number(row, "attempts") < 2 || mean === null || sd === null) continue;
      this.compared++;
      this.#deviations.add(sd);
      if (sd === 0) this.flatMeans.push(mean);
    }
    this.tokens.sort((a, b) => a - b);
  }

  get mean(): number | null {
    const all = new Sum();
    for (const reward of this.rewards) all.add(reward);
    return all.mean;
  }

  /** The mean of the deviations of the groups with at least two. */
  get sd(): number | null {
    return this.#deviations.mean;
  }

  /** The mean of each metric over those that have it. */
  get metrics(): ReadonlyMap<string, number | null> {
    return new Map([...this.#metrics].map(([name, { mean }]) => [name, mean]));
  }
}

/**
 * Summarizes the groups of a split between two steps.
 *
 * @param pointOf the point to which a step belongs; by default, all belong to one
 */
export function summarize(
  database: Database,
  of: { id: string; split: string; from: number; to: number },
  pointOf: (step: number) => number = () => 0,
): StepSummary[] {
  const points: Record<string, unknown>[][] = [];
  for (const row of database.all(
    `select step, attempts, exceptions, mean, sd, rewards, tokens, metrics from groups
     where model_id = :id and split = :split and step between :from and :to order by step, key`,
    of,
  )) {
    (points[pointOf(number(row, "step"))] ??= []).push(row);
  }
  return points.map((rows) => new StepSummary(rows));
}

/** The value below which a share of sorted values lies: the nearest rank. */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
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
}
