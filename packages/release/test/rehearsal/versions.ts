import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { assembleReleasePlan } from "@changesets/assemble-release-plan";
import { readConfig } from "@changesets/config";
import { readChangesets } from "@changesets/read";
import { getPackages } from "@manypkg/get-packages";
import { inc, satisfies } from "semver";
import { type Manifest, published, readManifest, root } from "../../src/lib/workspace.ts";
import { describeTarball, type Packed, repack } from "../../src/pack/pack.ts";

/** A version of each package, by name. */
export type Versions = ReadonlyMap<string, string>;

/** The versions of packages. */
export function versionsOf(packages: readonly Pick<Manifest, "name" | "version">[]): Versions {
  return new Map(packages.map(({ name, version }) => [name, version]));
}

/**
 * What a program depends on: each version, and compatible ones. A package without a scope would come from the public
 * registry, so its newest version is named by its address.
 */
export function dependenciesOn(
  versions: Versions,
  registry: string,
  newest: Versions = versions,
): Record<string, string> {
  const at = (name: string): string => `${registry}${name}/-/${name}-${newest.get(name)}.tgz`;
  return Object.fromEntries(
    [...versions].map(([name, version]) => [name, name.startsWith("@") ? `^${version}` : at(name)]),
  );
}

/** Lower version numbers in the same range. */
export function previousOf(versions: Versions): Versions {
  return new Map([...versions].map(([name, version]) => [name, `${version}-previous.0`]));
}

/** The versions to publish. If nothing waits for a release, as if every package had a patch. */
export function nextOf(last: Versions, planned: Versions): Versions {
  if ([...planned].some(([name, version]) => last.get(name) !== version)) return planned;
  return new Map([...planned].map(([name, version]) => [name, inc(version, "patch") ?? version]));
}

/** Packages whose new version declares a breaking change. */
export function breaking(previous: Versions, next: Versions): string[] {
  return [...previous].flatMap(([name, before]) => {
    const after = next.get(name);
    return after === undefined || satisfies(after, `^${before}`) ? [] : [`${name} ${before} → ${after}`];
  });
}

/** The version that each package will be published as, after the waiting changesets are applied. */
export async function plannedVersions(): Promise<Versions> {
  const versions = new Map(versionsOf(published().map(({ manifest }) => manifest)));
  const packages = await getPackages(root);
  const { config, errors } = await readConfig(root, packages);
  if (errors !== undefined) throw new Error(`.changeset/config.json is not right:\n${errors.join("\n")}`);
  const plan = assembleReleasePlan(await readChangesets(root), packages, config, undefined);
  for (const { name, newVersion } of plan.releases)
    if (versions.has(name) && newVersion !== undefined) versions.set(name, newVersion);
  return versions;
}

/**
 * Packs the same files under other versions, with matching dependencies; the tarballs themselves if they have these
 * versions. @param folder where to
 */
export function restamp(packed: readonly Packed[], versions: Versions, folder: string): readonly Packed[] {
  if (packed.every(({ name, version }) => versions.get(name) === version)) return packed;
  mkdirSync(folder, { recursive: true });
  return packed.map((one) => {
    const tarball = join(folder, basename(one.tarball));
    let { manifest } = one;
    repack(one.tarball, tarball, (source) => {
      manifest = withVersions(readManifest(join(source, "package.json")), versions);
      writeFileSync(join(source, "package.json"), JSON.stringify(manifest, null, 2));
    });
    return describeTarball(tarball, manifest);
  });
}

/** A manifest with other versions of itself and of its dependencies. */
export function withVersions(manifest: Manifest, versions: Versions): Manifest {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const ranges = Object.entries({ dependencies, optionalDependencies, peerDependencies }).flatMap(([kind, all]) => {
    const raised = Object.entries(all ?? {}).map(([name, range]) => [
      name,
      versions.has(name) ? `^${versions.get(name)}` : range,
    ]);
    return all === undefined ? [] : [[kind, Object.fromEntries(raised)]];
  });
  return { ...manifest, version: versions.get(manifest.name) ?? manifest.version, ...Object.fromEntries(ranges) };
}
