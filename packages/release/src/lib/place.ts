import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes a folder outside the workspace that goes away when this process ends, by itself or told to. */
export function makePlace(name: string): string {
  const place = mkdtempSync(join(tmpdir(), `trainyard-${name}-`));
  process.once("exit", () => rmSync(place, { recursive: true, force: true, maxRetries: 3 }));
  // A signal alone would end the process without its "exit".
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  return place;
}
