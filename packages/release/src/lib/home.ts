import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { run } from "./run.ts";
import { Unavailable } from "./steps.ts";
import { readManifest, root } from "./workspace.ts";

/** The address of the repository, as `https://host/owner/name`: `repository` of the root's package.json, its only place. */
export function readHome(): string | undefined {
  const { repository } = readManifest(join(root, "package.json"));
  return typeof repository === "string" ? repository : undefined;
}

/** The site that GitHub publishes of a repository: `https://owner.github.io/name/`. Elsewhere its address is not known. */
export function siteOf(home: string | undefined): string | undefined {
  const [, owner, name] = /^https:\/\/github\.com\/([^/]+)\/([^/]+)$/.exec(home ?? "") ?? [];
  if (owner === undefined || name === undefined) return undefined;
  return `https://${owner.toLowerCase()}.github.io/${name === `${owner}.github.io` ? "" : `${name}/`}`;
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

/**
 * Compares where the root says that it lives with where this checkout does. npm refuses provenance if they differ, but only
 * after everything else was done. A fork on somebody's machine is no fault: a workflow alone publishes.
 *
 * @param home `repository` of the root's package.json
 * @throws {@link Unavailable} if neither is known
 */
export function checkHome(home = readHome(), here = findHome()): void {
  const isWorkflow = process.env["GITHUB_REPOSITORY"] !== undefined;
  if (home === here || (home !== undefined && !isWorkflow)) {
    if (home !== undefined) return;
    throw new Unavailable(
      "This repository has no public address yet. Once it has one, write it as `repository` in the package.json of the root.",
    );
  }
  const said = home === undefined ? "no repository" : home;
  throw new Error(
    `The package.json of the root says ${said}, and npm refuses provenance. Fix it with: npm pkg set repository=${here}`,
  );
}

const guide = /^packages\/docs\/src\/content\/docs\/(.+)\.mdx?$/;

/**
 * A README with addresses in place of relative links, which lead nowhere outside of the repository: of the site for its
 * pages, and of the repository for all else. Without an address, the words of the link alone.
 *
 * @param folder the folder of the README, from the root
 * @throws Error if there is no such file
 */
export function withAddresses(readme: string, folder: string, home: string | undefined): string {
  return readme.replaceAll(
    /\[((?:[^\][]|\[[^\][]*\])*)\]\((?!#|[a-z][\w+.-]*:)([^)#\s]+)(#[^)\s]*)?\)/g,
    (_, words: string, to: string, hash = "") => {
      const file = posix.join(folder, to);
      if (!existsSync(join(root, file)) || relative(".", file).startsWith(".."))
        throw new Error(`${folder}/README.md links to ${to}, which does not exist. Correct the link.`);
      if (home === undefined) return words;
      const [page, site] = [guide.exec(file)?.[1], siteOf(home)];
      const address = page && site ? `${site}${page}/` : `${home}/tree/main/${file}`;
      return `[${words}](${address}${hash})`;
    },
  );
}
