import { readFileSync } from "node:fs";

/**
 * Writes where a package lives, and its guides, into its package.json as it is packed. The one place of the address is `repository` of the
 * root's package.json, as `https://host/owner/name`; without it, packages name none.
 */
function beforePacking({ ...manifest }) {
  // What `pnpm release pack` adds.
  manifest.files = [...(manifest.files ?? []), "AGENTS.md", "docs"];
  const { repository: home } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  if (home === undefined) return manifest;
  const directory = `packages/${manifest.name.replace(/^@[^/]+\//, "")}`;
  return {
    ...manifest,
    repository: { type: "git", url: `git+${home}.git`, directory },
    homepage: `${home}/tree/main/${directory}#readme`,
    bugs: `${home}/issues`,
  };
}

export const hooks = { beforePacking };
