import { gt, satisfies, valid } from "semver";
import { type Manifest, needs } from "../lib/workspace.ts";

/** A version of each package, by name. */
export type Versions = ReadonlyMap<string, string>;

/** The versions of packages. */
export function versionsOf(packages: readonly Pick<Manifest, "name" | "version">[]): Versions {
  return new Map(packages.map(({ name, version }) => [name, version]));
}

/** The ranges that a program uses: each version, and compatible ones. */
export function asRanges(versions: Versions): Record<string, string> {
  return Object.fromEntries([...versions].map(([name, version]) => [name, `^${version}`]));
}

/**
 * The faults in the versions of packages that are published together.
 * @param packages as packed
 * @param hidden names of the workspace's private packages
 */
export function versionFaults(packages: readonly Manifest[], hidden: ReadonlySet<string>): string[] {
  const versions = versionsOf(packages);
  return packages.flatMap((manifest) => ownFaults(manifest, versions, hidden));
}

/** Packages that would be published with a lower version than in the last release. */
export function loweredFaults(last: Versions, planned: Versions): string[] {
  return [...last].flatMap(([name, before]) => {
    const now = planned.get(name);
    return now !== undefined && gt(before, now)
      ? [`${name} is ${now}, but ${before} is released already: raise it.`]
      : [];
  });
}

function ownFaults(manifest: Manifest, versions: Versions, hidden: ReadonlySet<string>): string[] {
  const { name, version } = manifest;
  const needed = Object.entries(needs(manifest)).flatMap(([sibling, range]) => {
    if (hidden.has(sibling))
      return [`${name} needs ${sibling}, which is private and in no registry: publish it, or do without.`];
    const found = versions.get(sibling);
    if (found === undefined || satisfies(found, range)) return [];
    return [`${name} needs ${sibling} ${range}, but ${found} is what would be published: pack both from one state.`];
  });
  return valid(version) === version
    ? needed
    : [`${name} has the version "${version}": write three numbers.`, ...needed];
}
