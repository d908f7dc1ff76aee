import type { SystemCheck, SystemCheckPart } from "@trainyard/training";
import type { Jobs } from "../jobs/jobs.ts";
import type { Store } from "../store/store.ts";

/** Tries what the server depends on: its database, and its two queues: statistics, and training jobs. */
export async function systemCheck(store: Store, jobs: Jobs): Promise<SystemCheck> {
  const [database, cpu, gpu] = await Promise.all([
    attempt(() => store.call("store.ping", undefined)),
    attempt(() => store.read("store.ping", undefined)),
    attempt(() => jobs.check()),
  ]);
  return { api: true, database, cpu_queue: cpu, gpu_queue: gpu };
}

async function attempt(check: () => Promise<unknown>): Promise<SystemCheckPart> {
  const start = performance.now();
  const part = (success: boolean, error: string | null) => ({
    success,
    duration: (performance.now() - start) / 1000,
    error,
  });
  try {
    await check();
    return part(true, null);
  } catch (error) {
    return part(false, error instanceof Error ? error.message : String(error));
  }
}
