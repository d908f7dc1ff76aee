import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ServiceComparison } from "@trainyard/contract";
import { hasBlock, withoutBlock } from "../changelog/marks.ts";
import type { Published } from "../lib/workspace.ts";
import { bumpFor, bumpOf, highest, isBelow } from "./bump.ts";
import type { Changeset } from "./changeset.ts";
import { clientOf } from "./clients.ts";

/**
 * Compares the changesets with the changes of the contract: a breaking change requires a major release of the client,
 * an additive one a minor release. A higher bump is allowed. A removed service has no package to release, and one that
 * was never released needs no changeset, because the first release contains the whole contract.
 */
export function judgeChangesets(
  root: string,
  services: readonly ServiceComparison[],
  changesets: readonly Changeset[],
): { readonly sentence: string; readonly agrees: boolean }[] {
  return services.flatMap((comparison) => {
    const { service, verdict, whole, changes } = comparison;
    const name = clientOf(root, service);
    const needed = bumpOf(comparison);
    if (name === undefined || whole === "removed" || needed === "none") return [];
    const bump = highest(changesets.map(({ releases }) => releases.get(name) ?? "none"));
    if (!isBelow(bump, needed))
      return { agrees: true, sentence: `${name} is released as ${bump}: its contract's changes are ${verdict}.` };
    const [first, ...rest] = changes.filter((change) => change.verdict === verdict);
    const what = `${first?.place}: ${first?.what}${rest.length > 0 ? ` And ${rest.length} more.` : ""}`;
    const request = bump === "none" ? "no changeset names it" : `its changesets ask for ${bump}`;
    const sentence = `${name} needs a changeset with "${needed}", and ${request}. Its contract's changes are ${verdict}: ${what}`;
    return { agrees: false, sentence };
  });
}

/**
 * Changesets without text by a person whose bump of a client is higher than the contract's changes since the last
 * release require: the changes were reverted.
 */
export function takenBack(
  root: string,
  services: readonly ServiceComparison[],
  changesets: readonly Changeset[],
): string[] {
  return services.flatMap(({ service, sinceRelease, version }) => {
    const name = clientOf(root, service);
    if (name === undefined || sinceRelease === undefined) return [];
    const needed = bumpFor(sinceRelease.verdict);
    return changesets.flatMap(({ file, releases, text }) => {
      const bump = releases.get(name) ?? "none";
      const isDescribed = hasBlock(text, service) && withoutBlock(text, service) === "";
      if (!isDescribed || bump === "patch" || !isBelow(needed, bump)) return [];
      const since = `since ${version?.released ?? "the last release"}`;
      return [
        `${file} asks for "${bump}" of ${name}, and its contract's changes ${since} ask for ${needed}. They were taken back.`,
      ];
    });
  });
}

/** Names in changesets that are not published packages: a release would fail on them. */
export function unknownPackages(packages: readonly Published[], changesets: readonly Changeset[]): string[] {
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  return changesets.flatMap(({ file, releases }) =>
    [...releases.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `${file} names ${name}, which is no published package. Remove the line, or correct the name.`),
  );
}

/** Published packages that no changeset names and no release has: their first version would have an empty changelog. */
export function unannounced(packages: readonly Published[], changesets: readonly Changeset[]): string[] {
  return packages
    .filter(({ folder, manifest: { name } }) => {
      const isWaiting = changesets.some(({ releases }) => releases.has(name));
      return !isWaiting && !existsSync(join(folder, "CHANGELOG.md"));
    })
    .map(({ manifest: { name } }) => {
      const where = changesets[0]?.file ?? ".changeset/first-release.md";
      return `${name} is public, and no changeset and no release names it. Add this line to ${where}: "${name}": major`;
    });
}
