import { isDeepStrictEqual } from "node:util";
import { run } from "../lib/run.ts";
import { type Manifest, root } from "../lib/workspace.ts";

/** A published package, and its folder in the repository. */
export interface Placed {
  readonly manifest: Manifest;
  readonly directory: string;
}

/** The settings without which npm would not publish publicly with provenance, and those that would hide a package. */
const publishConfig = { access: "public", provenance: true };

/** What is wrong with the settings of a publish; empty if npm can publish the package publicly with provenance. */
export function settingFaults({ manifest }: Placed): string[] {
  return isDeepStrictEqual(manifest.publishConfig, publishConfig)
    ? []
    : [`${manifest.name}: set \`publishConfig\` in its package.json to ${JSON.stringify(publishConfig)}.`];
}

/**
 * What is wrong with where packages say that they live, which npm compares with the provenance.
 * @param packages as they are packed: `.pnpmfile.mjs` writes it there
 * @param home `repository` of the root's package.json: `https://host/owner/name`
 * @param here the repository of this checkout, if it is known
 */
export function repositoryFaults(packages: readonly Placed[], home: string | undefined, here = home): string[] {
  if (here === undefined) return [];
  if (home !== here) {
    const said = home === undefined ? "no repository" : home;
    return [`The package.json of the root says ${said}, and npm refuses provenance: write "repository": "${here}".`];
  }
  return packages.flatMap(({ manifest: { name, repository, homepage }, directory }) => {
    const wanted = {
      repository: { type: "git", url: `git+${home}.git`, directory },
      homepage: `${home}/tree/main/${directory}#readme`,
    };
    return isDeepStrictEqual({ repository, homepage }, wanted)
      ? []
      : [`${name}: npm refuses provenance. .pnpmfile.mjs has to write: ${JSON.stringify(wanted).slice(1, -1)}`];
  });
}

/** The repository of this checkout, such as `https://host/owner/name`; undefined if it has no remote address. */
export function findHome(): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  if (server && repository) return `${server}/${repository}`;
  try {
    return homeOf(run("git", ["remote", "get-url", "origin"], { cwd: root }));
  } catch {
    return undefined;
  }
}

/** Converts `git@host:owner/name.git` and similar addresses to `https://host/owner/name`; undefined for a local folder. */
export function homeOf(remote: string): string | undefined {
  const form = /^(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]+@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?[:/](\S+?)(?:\.git)?\/?$/;
  const match = form.exec(remote.trim());
  return match === null ? undefined : `https://${match[1]}/${match[2]}`;
}
