/**
 * `pnpm fix`: inserts each sample that a README names with `<!-- path -->` below that line, as a fenced block, so that
 * READMEs show tested code; and between `<!-- errors: files -->` and `<!-- /errors -->` the table of the errors in these
 * files. `--check` reports stale READMEs, and missing files that pages for maintainers name.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { markdownTable } from "@trainyard/host/table";

const root = join(import.meta.dirname, "..");
const sampleBlock = /^<!-- (packages\/samples\/\S+\.(\w+)) -->\n(?:\n```\w+\n[\s\S]*?\n```\n)?/gm;
const errors = /^<!-- errors: (.+) -->\n[\s\S]*?<!-- \/errors -->$/gm;

// A class with its comment: when it is thrown and, after "What to do:", the cure.
const classes = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport class (\w+) extends /gm;

/** Files that the first release creates. */
const later = new Set(["openapi/CHANGELOG.md", "openapi/released"]);

const namedFile =
  /`((?:src|test|tools|fixtures|packages|scripts|openapi|\.github|\.vscode)\/(?!\S*\.cache)[\w./*{},-]*)`/g;

const readmes = ["README.md", ...globSync("packages/*/README.md", { cwd: root })];
const stale: string[] = [];
for (const file of readmes) {
  const before = readFileSync(join(root, file), "utf8");
  const after = before
    .replaceAll(sampleBlock, (_, sample: string, language: string) => {
      const code = readFileSync(join(root, sample), "utf8").trimEnd();
      return `<!-- ${sample} -->\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
    })
    .replaceAll(errors, (_, files: string) => {
      const table = errorTable(files.split(" "));
      return `<!-- errors: ${files} -->\n\n${table}\n\n<!-- /errors -->`;
    });
  if (after === before) continue;
  stale.push(file);
  if (!process.argv.includes("--check")) writeFileSync(join(root, file), after);
}
if (process.argv.includes("--check")) {
  const pages = ["ARCHITECTURE.md", "CONTRIBUTING.md", "openapi/README.md", ...readmes];
  const faults = [
    ...stale.map((file) => `${file}: the samples are out of date. Fix it with: npx -y pnpm@12 fix`),
    ...pages.flatMap((page) => missingFiles(page)),
  ];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/**
 * The table of the error classes in these files, in Markdown, from their comments.
 * @throws if a class's comment does not say what to do.
 */
function errorTable(files: readonly string[]): string {
  const rows = [["class", "when", "what to do"]];
  for (const file of files)
    for (const [, comment = "", name = ""] of readFileSync(join(root, file), "utf8").matchAll(classes)) {
      const text = comment.replaceAll(/\s*\n \*[ ]?/g, "\n").replaceAll(/\{@link (\w+)\}/g, "`$1`");
      const [when = "", cure] = text.split(/\n\nWhat to do: /).map((part) => part.trim().replaceAll(/\s+/g, " "));
      if (!cure) throw new Error(`${file}: the comment of ${name} has no paragraph "What to do: …".`);
      rows.push([`\`${name}\``, when, cure]);
    }
  return markdownTable(rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|"))));
}

/**
 * The missing files and folders that a page for maintainers names as code, as sentences. Paths are relative to the root or
 * to the folder of the page; those with a placeholder, such as `openapi/<service>/`, are skipped.
 */
function missingFiles(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const named = new Set([...text.matchAll(namedFile)].map(([, file = ""]) => file.replace(/\/$/, "")));
  return [...named]
    .filter((file) => !later.has(file))
    .filter((file) =>
      [root, join(root, dirname(page))].every((from) =>
        /[*{]/.test(file) ? globSync(file, { cwd: from }).length === 0 : !existsSync(join(from, file)),
      ),
    )
    .map((file) => `${page} names \`${file}\`, which does not exist. Update the path, or remove the sentence.`);
}
