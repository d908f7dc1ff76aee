import type { Pruned, PruneRequest, PruneResult } from "@trainyard/local";
import type { Store } from "../store/store.ts";
import type { CheckpointFolders } from "./folders.ts";

/** How many logs are deleted in one transaction. */
const most = 200;

/**
 * Deletes logs and trainer logs above an age, or only counts them.
 *
 * @param now the server's time, in milliseconds
 */
export async function prune(
  { logs_seconds: logs, trainer_logs_seconds: trainerLogs, entity: only, dry_run: dryRun = false }: PruneRequest,
  { store, folders, now }: { store: Store; folders: CheckpointFolders; now: number },
): Promise<PruneResult> {
  const entity = only ?? null;
  const found = new Map<string, Pruned>();
  const sumOf = (of: string): Pruned => {
    const sum = found.get(of) ?? { entity: of, logs: 0, log_bytes: 0, trainer_logs: 0, trainer_log_bytes: 0 };
    found.set(of, sum);
    return sum;
  };
  if (logs !== undefined) {
    const old = { before: now - logs * 1000, entity };
    for (let isMore = true; isMore;) {
      const counts = await (dryRun ? store.read("logs.count", old) : store.call("logs.prune", { ...old, most }));
      for (const one of counts) {
        const sum = sumOf(one.entity);
        sum.logs += one.logs;
        sum.log_bytes += one.bytes;
      }
      isMore = !dryRun && counts.length > 0;
    }
  }
  if (trainerLogs !== undefined) {
    for (const job of await store.read("jobs.ended", { before: now - trainerLogs * 1000, entity })) {
      const sizes = await folders.pruneLogs(job.jobId, job.modelId, !dryRun);
      if (sizes.length === 0) continue;
      const sum = sumOf(job.entity);
      sum.trainer_logs += sizes.length;
      sum.trainer_log_bytes = sizes.reduce((all, size) => all + size, sum.trainer_log_bytes);
    }
  }
  return { entities: [...found.values()].toSorted((a, b) => (a.entity < b.entity ? -1 : 1)) };
}
