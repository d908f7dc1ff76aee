import { run } from "./command.ts";

/** Runs `trainyard-mock` until the process is told to end. */
export async function serve(args: readonly string[]): Promise<void> {
  // Before anything is said: who reads that the mock serves may end it at once.
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const result = await run(args, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
  if (typeof result === "number") process.exitCode = result;
  else void ended.then(() => result.close());
}
