import { existsSync, readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";

/** Ends a watch. */
export type Unwatch = () => void;

/** Editors write a file in several steps, and tools many files: they are taken together. Milliseconds. */
const quiet = 40;

/**
 * Calls back once after each burst of changes below a folder, with the time of its first.
 * Each folder is watched by itself: on Linux a recursive watch loses files that an editor replaces.
 */
export function watchFolder(root: string, changed: (since: number) => void): Unwatch {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;

  function follow(): void {
    const folders = new Set(existsSync(root) ? [root, ...foldersBelow(root)] : []);
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of folders) {
      if (watchers.has(folder)) continue;
      const watcher = watch(folder, touched);
      // A folder that is removed.
      watcher.on("error", () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    }
  }

  function touched(): void {
    since ??= performance.now();
    clearTimeout(timer);
    timer = setTimeout(() => {
      const first = since ?? performance.now();
      since = undefined;
      // New folders before what is in them is read, so that no file falls between.
      follow();
      changed(first);
    }, quiet);
  }

  follow();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}

function foldersBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}
