import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/run.ts";

/** Makes a folder with a manifest, and installs what the manifest asks for. */
export function install(folder: string, manifest: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true, ...manifest }, null, 2)}\n`);
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--foreground-scripts"], { cwd: folder });
}
