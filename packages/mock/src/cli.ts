#!/usr/bin/env node
import { run } from "./command.ts";

// Before anything is said: who reads that the mock serves may end it at once.
const ended = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
});

const result = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
if (typeof result === "number") process.exitCode = result;
else void ended.then(() => result.close());
