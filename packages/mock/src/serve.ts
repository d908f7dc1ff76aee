import { run } from "./command.ts";

/** Runs `trainyard-mock` until the process is stopped. */
export async function serve(args: readonly string[]): Promise<void> {
  // Before any output: a reader of the output may stop the process at once.
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
