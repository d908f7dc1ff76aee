import { setImmediate } from "node:timers/promises";

/** Lets others have their turn, among them the signal that ends the program. */
export async function turn(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

/** Places that are worked on at once: tens of milliseconds of work. */
const chunk = 4096;

/** Works on places part by part. */
export async function inChunks(
  count: number,
  signal: AbortSignal,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += chunk) {
    work(from, Math.min(count, from + chunk));
    await turn(signal);
  }
}
