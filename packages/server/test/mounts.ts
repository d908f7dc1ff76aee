import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const run = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** Whether a test can mount a file system on this machine: on Linux, as root. */
export const canMount = ((): boolean => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "trainyard-mount-"));
  const mounted = run("mount", "-t", "tmpfs", "tmpfs", folder);
  if (mounted) run("umount", folder);
  rmdirSync(folder);
  return mounted;
})();

/** Mounts a new file system in memory, of so many KiB. */
export function smallDisk(kib: number) {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-mount-"));
  if (!run("mount", "-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs", folder)) throw new Error("It could not be mounted.");
  onTestFinished(() => {
    // Unmount it even if a process still uses it.
    if (!run("umount", folder)) run("umount", "--lazy", folder);
    rmdirSync(folder);
  });
  return {
    folder,
    resize: (size: number) => {
      if (!run("mount", "-o", `remount,size=${size}k`, folder)) throw new Error("It could not be resized.");
    },
    makeReadOnly: () => {
      if (!run("mount", "-o", "remount,ro", folder)) throw new Error("It could not be made read-only.");
    },
  };
}

/** Fills the free space. */
export function fillDisk(folder: string): void {
  const handle = openSync(join(folder, "rest"), "w");
  try {
    for (;;) writeSync(handle, Buffer.alloc(4096));
  } catch {
    closeSync(handle);
  }
}
