import { untilStored } from "../jobs/until-stored.ts";
import { askRules } from "./ask-rules.ts";
import type { Store } from "./store.ts";

/** Milliseconds of one piece of work. A request meanwhile waits for at most one piece. */
const budget = 20;
/** Milliseconds between two notices of the progress. */
const noticeEvery = 5000;

/**
 * Writes the rows of logs and jobs that an earlier version stored, in pieces between which the store serves others. If it
 * is interrupted, the next start continues.
 */
export async function deriveOlder(
  store: Store,
  notice: (sentence: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let noticed = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const { left, damaged } = await untilStored(
      () => store.call("rows.derive", { budget }),
      () => signal.aborted,
    );
    for (const sentence of damaged) notice(sentence);
    if (left === 0) {
      await askRules(store, Infinity);
      if (noticed > 0) notice("The console shows all logs and jobs of the earlier version.");
      return;
    }
    if (performance.now() - noticed < noticeEvery) continue;
    noticed = performance.now();
    notice(
      `The console reads the logs and jobs that an earlier version stored: ${left} left. What has been read is shown.`,
    );
  }
}
