import type { SystemCheck, SystemCheckPart } from "@trainyard/training";
import type { Chat } from "../chat/chat.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { StorageFault } from "../store/storage-fault.ts";
import type { Store } from "../store/store.ts";

/** What a server depends on. */
interface Parts {
  readonly store: Store;
  readonly chat: Chat;
  readonly jobs: Jobs;
}

/**
 * Tests what the server depends on: whether its database accepts a row, its queue of statistics, and what chat and
 * training jobs need.
 */
export async function systemCheck({ store, chat, jobs }: Parts, signal: AbortSignal): Promise<SystemCheck> {
  const [database, cpu, gpu] = await Promise.all([
    attempt(() => store.call("store.check", undefined)),
    attempt(() => store.read("store.ping", undefined)),
    attempt(() => Promise.all([chat.check(signal), jobs.check()])),
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
    return part(false, reasonOf(error));
  }
}

/** Why a part does not work. A check has no request to retry, so only the fault of the storage is returned. */
function reasonOf(error: unknown): string {
  if (error instanceof StorageFault) return error.fault;
  return error instanceof Error ? error.message : String(error);
}
