import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
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
