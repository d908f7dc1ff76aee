/** `pnpm check:contents`: whether each public package, as it would be packed, has what its readers and tools need. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deleteStale, pack } from "../pack/pack.ts";
import { contentsFaults } from "../rehearsal/contents.ts";

const folder = mkdtempSync(join(tmpdir(), "trainyard-contents-"));
try {
  // It would be packed too. `release pack` deletes it as well.
  deleteStale();
  const packed = pack(join(folder, "tarballs"));
  const faults = packed.flatMap((one) => contentsFaults(one, folder).map((sentence) => `${one.name}: ${sentence}`));
  for (const sentence of faults) console.error(`✗ ${sentence}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`✓ ${packed.length} packages have what their readers and tools need.`);
} finally {
  rmSync(folder, { recursive: true });
}
