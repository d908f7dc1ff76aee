import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/run.ts";
import { type Manifest, readManifest } from "../lib/workspace.ts";
import { describeTarball, type Packed } from "../pack/pack.ts";
import { unpack } from "./tarball.ts";

type Ranges = Readonly<Record<string, string>> | undefined;

/**
 * Packs the same files under other versions, with matching dependencies; the tarballs themselves if they have these
 * versions. @param folder an empty folder
 */
export function restamp(
  packed: readonly Packed[],
  versions: ReadonlyMap<string, string>,
  folder: string,
): readonly Packed[] {
  if (packed.every(({ name, version }) => versions.get(name) === version)) return packed;
  return packed.map((one) => {
    const target = join(folder, one.name.replace("/", "-"));
    const source = unpack(one.tarball, target);
    const manifest = withVersions(readManifest(join(source, "package.json")), versions);
    writeFileSync(join(source, "package.json"), JSON.stringify(manifest, null, 2));
    run("pnpm", ["pack", "--pack-destination", target], { cwd: source });
    const tarball = readdirSync(target).find((name) => name.endsWith(".tgz"));
    if (tarball === undefined) throw new Error(`pnpm packed nothing of ${one.name} in ${source}.`);
    return describeTarball(join(target, tarball), manifest);
  });
}

/** A manifest with other versions of itself and of its dependencies. */
export function withVersions(manifest: Manifest, versions: ReadonlyMap<string, string>): Manifest {
  const ranges = (all: Ranges): Ranges =>
    all &&
    Object.fromEntries(
      Object.entries(all).map(([name, range]) => [name, versions.has(name) ? `^${versions.get(name)}` : range]),
    );
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  return {
    ...manifest,
    version: versions.get(manifest.name) ?? manifest.version,
    ...(dependencies && { dependencies: ranges(dependencies) ?? {} }),
    ...(optionalDependencies && { optionalDependencies: ranges(optionalDependencies) ?? {} }),
    ...(peerDependencies && { peerDependencies: ranges(peerDependencies) ?? {} }),
  };
}
