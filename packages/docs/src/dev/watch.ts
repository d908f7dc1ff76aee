import { existsSync, readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";

/** Milliseconds to wait for further changes: editors write a file in several steps, and tools write many files. */
const quiet = 40;

/**
 * Calls back once after each burst of changes below a folder, with the time of the first change. Each folder has its
 * own watcher: on Linux, a recursive watch misses files that an editor replaces. Returns a function that ends the watch.
 */
export function watchFolder(root: string, changed: (since: number) => void): () => void {
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
      // The folder was removed.
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
      // New folders are watched before they are read, so that no file is missed.
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
