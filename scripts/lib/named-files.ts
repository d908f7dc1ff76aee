import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the first release writes. */
const later = new Set(["openapi/CHANGELOG.md", "openapi/released"]);

const code = /`((?:src|test|tools|fixtures|packages|scripts|openapi|\.github|\.vscode)\/(?!\S*\.cache)[\w./*{},-]*)`/g;

/**
 * The files and folders that a page for maintainers names as code and that are not there, as sentences. A place is read from the
 * root or from the folder of the page; what has a placeholder, such as `openapi/<service>/`, is not judged.
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
    .map((file) => `${page} names \`${file}\`, which is not there. Write where it is now, or remove the sentence.`);
}
