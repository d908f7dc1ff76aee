import type { CancelTrainerJob, Trainer } from "./protocol.ts";

/** Longer than a busy cluster needs to respond. */
const limitMs = 60_000;

/**
 * Starts a trainer with `resume` to stop what still runs for a job that has ended.
 *
 * @throws Error unless it exits with code 0, which says that nothing runs any more
 */
export async function cancelWork(
  trainer: Trainer,
  { jobId, directory }: { jobId: string; directory: string },
  closing: AbortSignal,
): Promise<void> {
  const document: CancelTrainerJob = { job: { id: jobId }, cancel: { directory } };
  const log = { lastLine: "", write: async (line: string) => void (log.lastLine = line.trim() || log.lastLine) };
  const signal = AbortSignal.any([closing, AbortSignal.timeout(limitMs)]);
  // A trainer that cancels a job writes no events.
  for await (const _ of trainer.run({ input: JSON.stringify(document), signal, log }));
}
