import { setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { loadBase } from "../base/base-model.ts";
import { baseModelName } from "../base/name.ts";
import { train } from "./train.ts";

/** The exit code that shells use for a program ended by SIGTERM. */
const terminated = 143;

/**
 * `trainyard tiny train`: reads a training job from standard input, and writes its events to standard output, one per
 * line.
 * The exit code is 0 if the job completed or failed with an event, 1 for other errors, 143 after SIGTERM or SIGINT.
 */
export async function trainCommand(): Promise<void> {
  // Requests to the local server take precedence; on a busy machine, a job still makes progress.
  setPriority(10);
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once("SIGTERM", end).once("SIGINT", end);
  try {
    await train(await text(process.stdin), {
      baseModels: async (name) => (name === baseModelName ? loadBase() : undefined),
      emit: (type, data) => process.stdout.write(`${JSON.stringify({ type, data })}\n`),
      note: (line) => process.stderr.write(`${line}\n`),
      signal: ending.signal,
    });
  } catch (error) {
    process.exitCode = ending.signal.aborted ? terminated : 1;
    if (ending.signal.aborted) return;
    // The caller reports its last line.
    process.stderr.write(error instanceof Error ? `${error.stack}\n${error.message}\n` : `${String(error)}\n`);
  } finally {
    process.off("SIGTERM", end).off("SIGINT", end);
  }
}
