import { globSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { run } from "../lib/run.ts";
import { type Manifest, readManifest } from "../lib/workspace.ts";

/** The content of a tarball. */
export interface Contents {
  readonly manifest: Manifest;
  /** Texts by path: `dist/index.js`. */
  readonly files: ReadonlyMap<string, string>;
}

/** Unpacks a tarball. @returns the folder of the package */
export function unpack(tarball: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  // A relative path: some programs take a path with a drive letter for the address of another machine.
  run("tar", ["-xzf", relative(folder, tarball)], { cwd: folder });
  return join(folder, "package");
}

/** Reads an unpacked package. */
export function readContents(folder: string): Contents {
  const paths = globSync("**", { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  const files = paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(folder, path), "utf8")] as const);
  return { manifest: readManifest(join(folder, "package.json")), files: new Map(files) };
}
