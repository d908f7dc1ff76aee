import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * A new, empty folder.
 *
 * @param after when it is deleted: after the test by default; outside of tests give it `afterAll`
 */
export function temporaryFolder(after: (clean: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-test-"));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
