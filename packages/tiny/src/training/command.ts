import { setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { loadBase } from "../base/base-model.ts";
import { baseModelName } from "../base/name.ts";
import { train } from "./train.ts";

/** What a shell says of a program that SIGTERM ended. */
const terminated = 143;

/**
 * `trainyard-tiny train`: reads a training job from standard input, and writes its events to standard output, one a
 * line.
 *
 * @returns the exit code: 0 where the job ended, well or badly; 1 where something else went wrong; 143 where SIGTERM or
 *   SIGINT ended it
 */
export async function trainCommand(): Promise<number> {
  // Whoever asks the local server meanwhile comes first; on a busy machine a job still gets its share.
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
    return 0;
  } catch (error) {
    if (ending.signal.aborted) return terminated;
    // Whoever runs the program tells its last line.
    process.stderr.write(error instanceof Error ? `${error.stack}\n${error.message}\n` : `${String(error)}\n`);
    return 1;
  } finally {
    process.off("SIGTERM", end).off("SIGINT", end);
  }
}
