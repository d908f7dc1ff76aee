import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { build } from "esbuild";
import { runFolder, program } from "./places.ts";

const page = (script: string): string => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Calls</title><link rel="icon" href="data:," /></head>
  <body><script type="module" src="${script}"></script></body>
</html>
`;

/** A page of the program, as built by a bundler. */
export interface Bundler {
  readonly title: string;
  /** Returns the folder to serve. */
  readonly bundle: () => Promise<string>;
}

async function byEsbuild(): Promise<string> {
  const folder = join(runFolder, "esbuild");
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(program, "src/page.ts")],
    outfile: join(folder, "page.js"),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    logLevel: "silent",
  });
  writeFileSync(join(folder, "index.html"), page("/page.js"));
  return folder;
}

async function byVite(): Promise<string> {
  const folder = join(runFolder, "vite");
  writeFileSync(join(program, "index.html"), page("/src/page.ts"));
  const vite = join(program, "node_modules/vite/bin/vite.js");
  run(process.execPath, [vite, "build", "--logLevel", "warn", "--outDir", "page"], { cwd: program });
  cpSync(join(program, "page"), folder, { recursive: true });
  return folder;
}

export const bundlers: readonly Bundler[] = [
  { title: "esbuild", bundle: byEsbuild },
  { title: "Vite", bundle: byVite },
];

/** One minified file for Node. */
export async function minified(entry: string, outfile: string): Promise<void> {
  await build({
    absWorkingDir: program,
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "es2023",
    logLevel: "silent",
  });
}
