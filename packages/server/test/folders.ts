import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * A new, empty folder.
 *
 * @param after when to delete it. Default: after the test; outside of tests, pass `afterAll`
 */
export function temporaryFolder(after: (clean: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-test-"));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
