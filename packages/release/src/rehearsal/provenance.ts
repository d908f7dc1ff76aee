import type { Manifest } from "../lib/workspace.ts";
import { homeOf } from "./home.ts";

/** What keeps npm from publishing a package with provenance, or for everyone; nothing where all is set. */
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
 * Whether each package says where it comes from, which npm compares with the provenance of a publish, and where to read more.
 * @param home the repository that this checkout came from, such as `https://host/owner/name`; undefined where none is known
 * @returns what is wrong. `undefined` where nothing can be said: no home, and no package names one
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

/** The repository that packages name where this checkout is of another, such as a fork; it cannot publish them. */
export function foreignHome(packages: readonly Manifest[], home: string | undefined): string | undefined {
  const urls = packages.flatMap(({ repository }) => (repository?.url === undefined ? [] : [repository.url]));
  return home === undefined ? undefined : urls.find((url) => homeOf(url.replace(/^git\+/, "")) !== home);
}
