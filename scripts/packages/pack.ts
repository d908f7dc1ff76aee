import { globSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../lib/run.ts";
import { bin, place, root } from "./places.ts";

/** A package of the workspace that is published. */
export interface Packed {
  readonly name: string;
  readonly tarball: string;
  /** Exports that are no modules: types say nothing about them. */
  readonly data: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: { readonly [entry: string]: unknown };
}

/** Builds every package, since what is packed is what was built. */
export function build(): void {
  run("turbo", ["run", "build", "--output-logs=errors-only", "--ui=stream"], { cwd: root });
}

/** Packs each published package into a tarball. */
export function pack(): Packed[] {
  const tarballs = join(place, "tarballs");
  mkdirSync(tarballs);
  const packed: Packed[] = [];
  for (const file of globSync("packages/*/package.json", { cwd: root }).toSorted()) {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"));
    if (manifest.private) continue;
    const before = new Set(readdirSync(tarballs));
    run("pnpm", ["pack", "--pack-destination", tarballs], { cwd: join(root, dirname(file)) });
    const tarball = readdirSync(tarballs).find((name) => !before.has(name));
    if (tarball === undefined) throw new Error(`${manifest.name} made no tarball.`);
    const data = Object.keys(manifest.exports ?? {}).filter((entry) => entry.endsWith(".yaml"));
    packed.push({ name: manifest.name, tarball: join(tarballs, tarball), data });
  }
  return packed;
}

/** Whether a tarball is put together as registries and bundlers expect. */
export function publint({ tarball }: Packed): void {
  run(join(bin, "publint"), [tarball, "--strict"], { cwd: root });
}

/** Whether the types of a tarball are found, and are those of what runs. */
export function attw({ tarball, data }: Packed): void {
  const excluded = data.length > 0 ? ["--exclude-entrypoints", ...data] : [];
  run(join(bin, "attw"), [tarball, "--profile", "esm-only", ...excluded], { cwd: root });
}
