import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The differences between generated and existing files; paths are relative to the folder, with `/`. */
export interface Difference {
  readonly missing: readonly string[];
  readonly stale: readonly string[];
  /** Existing files that are no longer generated. */
  readonly surplus: readonly string[];
}

/** The complete content of a folder, by path. */
export type Files = ReadonlyMap<string, string>;

export function difference(folder: string, files: Files): Difference {
  const present = list(folder);
  const wanted = [...files.keys()].toSorted();
  return {
    missing: wanted.filter((file) => !present.includes(file)),
    stale: wanted.filter(
      (file) => present.includes(file) && readFileSync(join(folder, file), "utf8") !== files.get(file),
    ),
    surplus: present.filter((file) => !files.has(file)),
  };
}

/** Gives a folder exactly these files. Files that are up to date are not touched, so that caches stay valid. */
export function write(folder: string, files: Files): Difference {
  const found = difference(folder, files);
  const changed = new Set([...found.missing, ...found.stale]);
  writeFiles(folder, new Map([...files].filter(([file]) => changed.has(file))));
  for (const file of found.surplus) rmSync(join(folder, file));
  if (existsSync(folder)) removeEmpty(folder);
  return found;
}

/** Writes files into a folder, beside existing ones. */
export function writeFiles(folder: string, files: Files): void {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

export function isEmpty({ missing, stale, surplus }: Difference): boolean {
  return missing.length + stale.length + surplus.length === 0;
}

/** What a run changed, in words: `wrote client.ts, removed old.ts`. */
export function describeDifference({ missing, stale, surplus }: Difference): string {
  const written = [...missing, ...stale];
  const parts = [
    ...(written.length > 0 ? [`wrote ${written.join(", ")}`] : []),
    ...(surplus.length > 0 ? [`removed ${surplus.join(", ")}`] : []),
  ];
  return parts.join(", ") || "nothing changed";
}

function list(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .toSorted();
}

function removeEmpty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
