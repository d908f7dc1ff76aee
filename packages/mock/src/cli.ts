#!/usr/bin/env node
import { startCommand } from "@trainyard/host/command";

await startCommand(import.meta.url, async (args) => {
  const { run } = await import("./command.ts");
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
});
