import type { Manifest } from "../lib/workspace.ts";
import { homeOf } from "./home.ts";

/** What prevents npm from publishing a package publicly with provenance; empty if all settings are right. */
export function provenanceFaults({ publishConfig }: Manifest): string[] {
  const { access, provenance, registry, tag } = publishConfig ?? {};
  return [
    ...(access === "public"
      ? []
      : ['A scoped package is restricted unless told: set `publishConfig.access` to "public".']),
    ...(provenance === true
      ? []
      : ["Set `publishConfig.provenance` to true in its package.json, so that users can see what it was built from."]),
    ...(registry === undefined ? [] : ["`publishConfig.registry` would send it elsewhere: remove it."]),
    ...(tag === undefined ? [] : ["`publishConfig.tag` would hide it from those who install by range: remove it."]),
  ];
}

/**
 * Checks that each package names its repository, which npm compares with the provenance, and its homepage.
 * @param home the repository of this checkout, such as `https://host/owner/name`; undefined if it is unknown
 * @returns the faults, or `undefined` if nothing can be checked: no home, and no package names a repository
 */
export function repositoryFaults(
  packages: readonly { readonly manifest: Manifest; readonly directory: string }[],
  home: string | undefined,
): string[] | undefined {
  const named = new Set(packages.map(({ manifest }) => manifest.repository?.url));
  if (home === undefined && named.size === 1 && named.has(undefined)) return undefined;
  return packages.flatMap(({ manifest: { name, repository, homepage }, directory }) => {
    const cure = `set \`repository\` in its package.json to {"type": "git", "url": "git+${home ?? "…"}.git", "directory": "${directory}"}`;
    if (repository?.url === undefined)
      return [`${name} does not say where it comes from, and npm refuses provenance without it: ${cure}.`];
    if (repository.directory !== directory) return [`${name} names the folder ${repository.directory}: ${cure}.`];
    if (named.size > 1)
      return [`${name} names ${repository.url}, and others name another repository: give all the same.`];
    const page = `${homeOf(repository.url.replace(/^git\+/, "")) ?? home}/tree/main/${directory}#readme`;
    if (homepage === undefined)
      return [`${name} leads its readers nowhere: set \`homepage\` in its package.json to ${page}.`];
    return [];
  });
}

/** The repository that packages name if this checkout is another one, such as a fork, which cannot publish them. */
export function foreignHome(packages: readonly Manifest[], home: string | undefined): string | undefined {
  const urls = packages.flatMap(({ repository }) => (repository?.url === undefined ? [] : [repository.url]));
  return home === undefined ? undefined : urls.find((url) => homeOf(url.replace(/^git\+/, "")) !== home);
}
