import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder outside the workspace that is deleted when this process ends, also by a signal. */
export function makeTemporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `trainyard-${name}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // A signal by itself would end the process without its "exit" event.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  return folder;
}
