/** `pnpm check:boundaries`. A file, since turbo refuses a task whose script names turbo. */
import { join } from "node:path";
import { run } from "@trainyard/release/run";

try {
  run("turbo", ["boundaries"], { cwd: join(import.meta.dirname, "..") });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
