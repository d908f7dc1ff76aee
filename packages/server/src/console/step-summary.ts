import type { Database } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { flagBits } from "./flags.ts";

/** What a step's attempts of one split come to. */
export interface StepSummary {
  readonly step: number;
  /** The rewards, in ascending order. */
  readonly rewards: readonly number[];
  readonly mean: number | null;
  /** The mean of the deviations of the groups with at least two. */
  readonly sd: number | null;
  readonly groups: number;
  /** The means of the groups without a signal: with at least two rewards, all the same. */
  readonly flatMeans: readonly number[];
  /** Groups whose rewards can be compared. */
  readonly compared: number;
  readonly exceptions: number;
  /** The known lengths of what was said, in ascending order. */
  readonly tokens: readonly number[];
  readonly cut: number;
  readonly stale: number;
  readonly noTool: number;
  readonly sameAnswer: number;
  /** The mean of each metric over those that have it. */
  readonly metrics: ReadonlyMap<string, number>;
}

/** Summarizes the attempts of one step, or of several that are shown as one. */
export function summarize(
  index: Database,
  { run, split, from, to }: { run: number; split: string; from: number; to: number },
): StepSummary {
  const where = "run = :run and split = :split and step between :from and :to";
  const params = { run, split, from, to };
  const rewards: number[] = [];
  const tokens: number[] = [];
  const metrics = new Map<string, { sum: number; count: number }>();
  const counts = { exceptions: 0, cut: 0, stale: 0, noTool: 0, sameAnswer: 0 };
  for (const row of index.all(`select reward, tokens, flags, metrics from rollouts where ${where}`, params)) {
    const reward = numberOrNull(row, "reward");
    const flags = number(row, "flags");
    if (reward === null) counts.exceptions++;
    else rewards.push(reward);
    const length = numberOrNull(row, "tokens");
    if (length !== null) tokens.push(length);
    if (flags & flagBits.cut) counts.cut++;
    if (flags & flagBits.stale) counts.stale++;
    if (flags & flagBits["no-tool"]) counts.noTool++;
    if (flags & flagBits["same-answer"]) counts.sameAnswer++;
    const values = text(row, "metrics");
    if (values === "{}") continue;
    for (const [name, value] of Object.entries(JSON.parse(values) as Record<string, number>)) {
      const kept = metrics.get(name);
      if (kept === undefined) metrics.set(name, { sum: value, count: 1 });
      else {
        kept.sum += value;
        kept.count++;
      }
    }
  }
  const groups = index.all(`select attempts, mean, sd from groups where ${where}`, params);
  const compared = groups.filter((row) => number(row, "attempts") > 1);
  rewards.sort((a, b) => a - b);
  tokens.sort((a, b) => a - b);
  return {
    ...counts,
    step: from,
    rewards,
    mean: meanOf(rewards),
    sd: meanOf(compared.map((row) => number(row, "sd"))),
    groups: groups.length,
    compared: compared.length,
    flatMeans: compared.filter((row) => number(row, "sd") === 0).map((row) => number(row, "mean")),
    tokens,
    metrics: new Map([...metrics].map(([name, { sum, count }]) => [name, sum / count])),
  };
}

/** The value below which a share of sorted values lies: the nearest rank. */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
