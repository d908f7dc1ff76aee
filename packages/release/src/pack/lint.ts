import { join } from "node:path";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";
import type { Packed } from "./pack.ts";

/** The commands that this workspace package has. */
const bin = join(import.meta.dirname, "../../node_modules/.bin");

/** Whether a tarball is put together as registries and bundlers expect. */
export function publint({ tarball }: Packed): void {
  run(join(bin, "publint"), [tarball, "--strict"], { cwd: root });
}

/** Whether the types of a tarball are found, and are those of what runs. */
export function attw({ tarball, manifest }: Packed): void {
  // Exports that are no modules: types say nothing about them.
  const data = Object.keys(manifest.exports ?? {}).filter((entry) => entry.endsWith(".yaml"));
  const excluded = data.length > 0 ? ["--exclude-entrypoints", ...data] : [];
  run(join(bin, "attw"), [tarball, "--profile", "esm-only", ...excluded], { cwd: root });
}
