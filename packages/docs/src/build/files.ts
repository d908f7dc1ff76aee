import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes a file of the site, with its folders. */
export function put(folder: string, path: string, text: string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Changes every file that a pattern finds; `path` is relative to the folder, with `/`. */
export function rewrite(folder: string, pattern: string, change: (text: string, path: string) => string): void {
  for (const path of globSync(pattern, { cwd: folder })) {
    const before = readFileSync(join(folder, path), "utf8");
    const after = change(before, path.replaceAll("\\", "/"));
    if (after !== before) writeFileSync(join(folder, path), after);
  }
}
