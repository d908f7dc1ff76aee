import type { Database } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import type { RunKey } from "./context.ts";
import { keepNewest } from "./kept.ts";
import { percentile, readStep, type CountedAttempt, type CountedGroup, type StepSummary } from "./step-summary.ts";

/** The rewards that a scale shows. */
export interface RewardRange {
  readonly low: number;
  readonly high: number;
}

/** A step of one split of a run. */
export interface StepPlace {
  readonly run: string;
  readonly split: string;
  readonly step: number;
}

/** The summaries of steps. Each is read from the index when it is first requested, and updated from then on. */
export class Steps {
  readonly #index: Database;
  readonly #kept = new Map<string, Map<string, StepSummary>>();
  readonly #ranges = new Map<string, RewardRange>();

  constructor(index: Database) {
    this.#index = index;
  }

  /** Adds a new group to its step. */
  added(place: StepPlace, group: CountedGroup, attempts: readonly CountedAttempt[]): void {
    this.#ranges.delete(place.run);
    const summary = this.#kept.get(place.run)?.get(nameOf(place));
    if (summary === undefined) return;
    summary.addGroup(group);
    for (const attempt of attempts) summary.addAttempt(attempt);
  }

  /** Discards the summary of a step from which a group was removed. */
  removed(place: StepPlace): void {
    this.#ranges.delete(place.run);
    this.#kept.get(place.run)?.delete(nameOf(place));
  }

  /** Discards all summaries. They are read again when they are requested. */
  clear(): void {
    this.#kept.clear();
    this.#ranges.clear();
  }

  /** The splits of a run, `train` first. */
  splits(run: number): string[] {
    const rows = this.#index.all("select distinct split from steps where run = :run order by split", { run });
    return rows.map((row) => text(row, "split")).toSorted((a, b) => Number(b === "train") - Number(a === "train"));
  }

  /** The steps of a split that have attempts. */
  stepsOf(run: number, split: string): number[] {
    return this.#index
      .all("select step from steps where run = :run and split = :split order by step", { run, split })
      .map((row) => number(row, "step"));
  }

  /** The mean reward of each step of a split, in order. Steps without a reward are left out. */
  meansOf(run: number, split: string): number[] {
    return this.#index
      .all(
        "select total / attempts as mean from steps where run = :run and split = :split and attempts > 0 order by step",
        {
          run,
          split,
        },
      )
      .flatMap((row) => numberOrNull(row, "mean") ?? []);
  }

  /** How many groups and attempts there are. */
  countsOf(run: number): { groups: number; rollouts: number } {
    const row = this.#index.get(
      "select sum(groups) as groups, sum(attempts + exceptions) as rollouts from steps where run = :run",
      { run },
    );
    return { groups: (row && numberOrNull(row, "groups")) ?? 0, rollouts: (row && numberOrNull(row, "rollouts")) ?? 0 };
  }

  of(run: RunKey, split: string, step: number): StepSummary {
    const kept = keepNewest(this.#kept, run.id, () => new Map<string, StepSummary>());
    const name = nameOf({ split, step });
    let summary = kept.get(name);
    if (summary === undefined) {
      summary = readStep(this.#index, { run: run.key, split, step });
      kept.set(name, summary);
    }
    return summary;
  }

  /** From 0 to 1 if all rewards are in that range; otherwise from the 2nd to the 98th percentile. */
  range(run: RunKey): RewardRange {
    let range = this.#ranges.get(run.id);
    if (range === undefined) {
      range = this.#calculateRange(run);
      this.#ranges.set(run.id, range);
    }
    return range;
  }

  #calculateRange(run: RunKey): RewardRange {
    const ends = this.#index.get("select min(lo) as low, max(hi) as high from steps where run = :run", {
      run: run.key,
    });
    const [least, most] = [ends && numberOrNull(ends, "low"), ends && numberOrNull(ends, "high")];
    if (least == null || most == null || (least >= 0 && most <= 1)) return { low: 0, high: 1 };
    const all = Float64Array.from(
      this.splits(run.key).flatMap((split) =>
        this.stepsOf(run.key, split).flatMap((step) => this.of(run, split, step).rewards),
      ),
    ).sort();
    const [low, high] = [percentile(all, 0.02) ?? 0, percentile(all, 0.98) ?? 1];
    return low < high ? { low, high } : { low: Math.min(low, 0), high: Math.max(high, low + 1) };
  }
}

function nameOf({ split, step }: Pick<StepPlace, "split" | "step">): string {
  return `${split} ${step}`;
}

/** The number of sorted rewards in each tenth of a range. Rewards outside of the range count to its nearest end. */
export function cellsOf(rewards: readonly number[], { low, high }: RewardRange): number[] {
  const cells = Array.from({ length: 10 }, () => 0);
  for (const reward of rewards) {
    const at = Math.max(0, Math.min(9, Math.floor(((reward - low) / (high - low)) * 10)));
    cells[at] = (cells[at] ?? 0) + 1;
  }
  return cells;
}
