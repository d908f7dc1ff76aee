import { inc, satisfies } from "semver";
import type { Manifest } from "../lib/workspace.ts";

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
