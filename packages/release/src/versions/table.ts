import type { Release } from "@trainyard/contract";

export { type Release, readReleases } from "@trainyard/contract";

/** The table of releases, as in its file. */
export function printReleases(releases: readonly Release[]): string {
  return `${JSON.stringify(releases, null, 2)}\n`;
}
