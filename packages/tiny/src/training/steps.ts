/** Yields to other tasks, such as the signal that ends the program. */
export async function turn(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

/** How many positions are processed at once: tens of milliseconds of work. */
const chunk = 4096;

/** Processes positions in parts. */
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
