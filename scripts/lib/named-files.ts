import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files that the first release creates. */
const later = new Set(["openapi/CHANGELOG.md", "openapi/released"]);

const code = /`((?:src|test|tools|fixtures|packages|scripts|openapi|\.github|\.vscode)\/(?!\S*\.cache)[\w./*{},-]*)`/g;

/**
 * The missing files and folders that a page for maintainers names as code, as sentences. Paths are relative to the root or
 * to the folder of the page; those with a placeholder, such as `openapi/<service>/`, are skipped.
 */
export function missingFiles(root: string, page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const named = new Set([...text.matchAll(code)].map(([, file = ""]) => file.replace(/\/$/, "")));
  return [...named]
    .filter((file) => !later.has(file))
    .filter((file) =>
      [root, join(root, dirname(page))].every((from) =>
        /[*{]/.test(file) ? globSync(file, { cwd: from }).length === 0 : !existsSync(join(from, file)),
      ),
    )
    .map((file) => `${page} names \`${file}\`, which does not exist. Update the path, or remove the sentence.`);
}
