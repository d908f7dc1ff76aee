import type { RewardRange } from "@trainyard/console";
import type { Database } from "../store/database.ts";
import { numberOrNull, text } from "../store/row.ts";
import { percentile, summariesOf } from "./step-summary.ts";

/** The splits of a run, `train` first. */
export function splitsOf(database: Database, id: string): string[] {
  const rows = database.all(`select distinct split from steps where model_id = :id order by ${splitOrder}`, { id });
  return rows.map((row) => text(row, "split"));
}

/** The order of splits: `train` first. */
export const splitOrder = "split <> 'train', split";

/** From 0 to 1 if all rewards are in that range; otherwise from the 2nd to the 98th percentile. */
export function rangeOf(database: Database, id: string): RewardRange {
  const ends = database.get("select min(lo) as low, max(hi) as high from steps where model_id = :id", { id });
  const [least, most] = [ends && numberOrNull(ends, "low"), ends && numberOrNull(ends, "high")];
  if (least == null || most == null || (least >= 0 && most <= 1)) return { low: 0, high: 1 };
  const steps = splitsOf(database, id).flatMap((split) => [...summariesOf(database, id, split).values()]);
  const all = Float64Array.from(steps.flatMap(({ rewards }) => rewards)).sort();
  const [low, high] = [percentile(all, 0.02) ?? 0, percentile(all, 0.98) ?? 1];
  return low < high ? { low, high } : { low: Math.min(low, 0), high: Math.max(high, low + 1) };
}

/** The reward in the middle of a range. */
export function middleOf({ low, high }: RewardRange): number {
  return low / 2 + high / 2;
}

/** The number of sorted rewards in each tenth of a range. Rewards outside of the range count to its nearest end. */
export function cellsOf(rewards: readonly number[], { low, high }: RewardRange): number[] {
  // The difference of the halves is finite for all ends.
  const span = high / 2 - low / 2;
  const cells = Array.from({ length: 10 }, () => 0);
  for (const reward of rewards) {
    const at = Math.max(0, Math.min(9, Math.floor(((reward / 2 - low / 2) / span) * 10)));
    cells[at] = (cells[at] ?? 0) + 1;
  }
  return cells;
}
