import { hash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readHome, withAddresses } from "../lib/home.ts";
import { run } from "../lib/run.ts";
import { type Manifest, published, root } from "../lib/workspace.ts";
import { unpack } from "../rehearsal/tarball.ts";
import { addGuides } from "./guides.ts";

/** A package as it is published. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  /** The tarball, as an absolute path. */
  readonly tarball: string;
  /** The digest in the form of lockfiles: `sha512-…`. */
  readonly integrity: string;
  /** In bytes. */
  readonly size: number;
  /** The package.json of the workspace that it was made from. */
  readonly manifest: Manifest;
}

/** Builds every published package. */
export function build(workspace: string = root): void {
  const packages = published(workspace);
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  // Its guides are packed, also with packages of an earlier commit, where only these are installed.
  if (workspace === root) filters.push("--filter=@trainyard/docs");
  run("turbo", ["run", "build", ...filters, "--output-logs=errors-only", "--ui=stream"], { cwd: workspace });
  deleteStale(workspace);
}

/** Deletes the output of earlier builds, which would be packed too. */
export function deleteStale(workspace: string = root): void {
  for (const { folder, manifest } of published(workspace)) {
    const paths = globSync("{dist,src}/**", { cwd: folder }).map((path) => path.replaceAll("\\", "/"));
    for (const path of staleFiles(manifest, paths)) rmSync(join(folder, path));
  }
}

/**
 * Output of the compiler whose source was deleted or renamed. Its files have maps; those of a bundler, such as the pages of
 * the console, have none and no source of their name.
 */
export function staleFiles({ exports, bin, main, types }: Manifest, paths: readonly string[]): string[] {
  const named = JSON.stringify({ exports, bin, main, types });
  return paths.filter((path) => {
    const [output, source] = /^(dist\/(.*?)(?:\.d)?\.(?:js|ts))(?:\.map)?$/.exec(path)?.slice(1) ?? [];
    if (output === undefined || named.includes(`${output}"`)) return false;
    return paths.includes(`${output}.map`) && !paths.includes(`src/${source}.ts`);
  });
}

/**
 * Packs published packages into tarballs, with their guides, and addresses in place of the relative links of their READMEs. The
 * same files always result in the same bytes. @param names the packages to pack; all by default
 */
export function pack(folder: string, workspace: string = root, names?: readonly string[]): Packed[] {
  mkdirSync(folder, { recursive: true });
  const wanted = published(workspace).filter(({ manifest }) => names?.includes(manifest.name) ?? true);
  const filters = wanted.map(({ manifest }) => `--filter=${manifest.name}`);
  run("pnpm", ["--recursive", ...filters, "pack", "--pack-destination", folder], { cwd: workspace });
  const home = readHome();
  return wanted.map(({ folder: source, manifest }) => {
    const tarball = join(folder, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
    const readme = readFileSync(join(source, "README.md"), "utf8");
    repack(tarball, tarball, (unpacked) => {
      writeFileSync(join(unpacked, "README.md"), withAddresses(readme, `packages/${basename(source)}`, home));
      addGuides(unpacked, manifest);
    });
    return describeTarball(tarball, manifest);
  });
}

/** Packs the files of a tarball again, after an edit of them. @param edit gets the folder of the unpacked package */
export function repack(from: string, to: string, edit: (folder: string) => void): void {
  const temporary = `${to}.folder`;
  const unpacked = unpack(from, temporary);
  edit(unpacked);
  run("pnpm", ["pack", "--out", `${to}.new`], { cwd: unpacked });
  renameSync(`${to}.new`, to);
  rmSync(temporary, { recursive: true });
}

/** An existing tarball. */
export function describeTarball(tarball: string, manifest: Manifest): Packed {
  const bytes = readFileSync(tarball);
  const { name, version } = manifest;
  const integrity = `sha512-${hash("sha512", bytes, "base64")}`;
  return { name, version, tarball, integrity, size: bytes.byteLength, manifest };
}
