import { factsOf } from "./errors/trainyard-error.ts";
import { limitOf } from "./limit.ts";

/** Waits `ms` milliseconds for `operation`. If the signal aborts, fails at once with an {@link AbortError}. */
export async function sleep(ms: number, signal: AbortSignal | undefined, operation: string): Promise<void> {
  const limit = limitOf(signal, Infinity, Infinity, factsOf(operation), "");
  await limit.sleep(ms);
  limit.release();
}
