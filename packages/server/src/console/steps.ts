import type { Database } from "../store/database.ts";
import { number, text } from "../store/row.ts";
import { keepNewest } from "./kept.ts";
import { percentile, summarize, type StepSummary } from "./step-summary.ts";

/** The rewards that a scale shows. */
export interface RewardRange {
  readonly low: number;
  readonly high: number;
}

/** The summaries of steps, each calculated when it is first asked for, and again after something of it is new. */
export class Steps {
  readonly #index: Database;
  readonly #kept = new Map<string, Map<string, StepSummary>>();
  readonly #ranges = new Map<string, RewardRange>();

  constructor(index: Database) {
    this.#index = index;
  }

  /** Something of a step is new. */
  touched(runId: string, split: string, step: number): void {
    this.#kept.get(runId)?.delete(`${split} ${step}`);
    this.#ranges.delete(runId);
  }

  /** The splits of a run, `train` first. */
  splits(run: number): string[] {
    const rows = this.#index.all("select distinct split from groups where run = :run order by split", { run });
    return rows.map((row) => text(row, "split")).toSorted((a, b) => Number(b === "train") - Number(a === "train"));
  }

  /** The steps of a split that have attempts. */
  stepsOf(run: number, split: string): number[] {
    const rows = this.#index.all("select distinct step from groups where run = :run and split = :split order by step", {
      run,
      split,
    });
    return rows.map((row) => number(row, "step"));
  }

  of(run: { key: number; id: string }, split: string, step: number): StepSummary {
    const kept = keepNewest(this.#kept, run.id, () => new Map<string, StepSummary>());
    const name = `${split} ${step}`;
    let summary = kept.get(name);
    if (summary === undefined) {
      summary = summarize(this.#index, { run: run.key, split, from: step, to: step });
      kept.set(name, summary);
    }
    return summary;
  }

  /** From 0 to 1, where all rewards are: else from the 2nd to the 98th percentile of what there is. */
  range(run: { key: number; id: string }): RewardRange {
    let range = this.#ranges.get(run.id);
    if (range === undefined) {
      range = this.#calculateRange(run.key);
      this.#ranges.set(run.id, range);
    }
    return range;
  }

  #calculateRange(run: number): RewardRange {
    const usual = { low: 0, high: 1 };
    const ends = this.#index.get(
      "select min(lo) as low, max(hi) as high from groups where run = :run and mean is not null",
      { run },
    );
    if (ends === undefined || ends["low"] === null) return usual;
    if (number(ends, "low") >= 0 && number(ends, "high") <= 1) return usual;
    const all = this.#index
      .all("select reward from rollouts where run = :run and reward is not null order by reward", { run })
      .map((row) => number(row, "reward"));
    const [low, high] = [percentile(all, 0.02) ?? 0, percentile(all, 0.98) ?? 1];
    return low < high ? { low, high } : { low: Math.min(low, 0), high: Math.max(high, low + 1) };
  }
}

/** How many of sorted rewards lie in each tenth of a range. What lies outside counts to its nearest end. */
export function cellsOf(rewards: readonly number[], { low, high }: RewardRange): number[] {
  const cells = Array.from({ length: 10 }, () => 0);
  for (const reward of rewards) {
    const at = Math.max(0, Math.min(9, Math.floor(((reward - low) / (high - low)) * 10)));
    cells[at] = (cells[at] ?? 0) + 1;
  }
  return cells;
}
