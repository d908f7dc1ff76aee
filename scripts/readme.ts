/**
 * `pnpm fix`: inserts each sample that a README names with `<!-- path -->` below that line, as a fenced block, so that
 * READMEs show tested code; and between `<!-- errors: files -->` and `<!-- /errors -->` the table of the errors in these
 * files. In READMEs and guides, between `install: packages` and `/install` how they are installed, and between `command` and
 * `/command` how `trainyard` is run. `--check` reports stale pages, and missing files that pages for maintainers name.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandText, installText } from "@trainyard/contract/install-text";
import { markdownTable } from "@trainyard/terminal/table";

const root = join(import.meta.dirname, "..");
const sampleBlock = /^<!-- (packages\/samples\/\S+\.(\w+)) -->\n(?:\n```\w+\n[\s\S]*?\n```\n)?/gm;
const errors = /^<!-- errors: (.+) -->\n[\s\S]*?<!-- \/errors -->$/gm;
const included = /^(<!--|\{\/\*) (install|command)(?:: ([\w ]+))? (-->|\*\/\})\n[\s\S]*?^\1 \/\2 \4$/gm;
/** The command in the text of a page, without what stands before it in a shell. */
const bare =
  /(?:^|[^/\w.-])(?<!npx |pnpm@12 |exec )`?trainyard (?:serve|mock|call|verify|generate|check|uses|slurm|tiny|import|keys|backup)\b/m;

// A class with its comment: when it is thrown and, after "What to do:", the cure.
const classes = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport class (\w+) extends /gm;

/** Files that the first release creates. */
const later = new Set(["openapi/CHANGELOG.md", "openapi/released"]);

const namedFile =
  /`((?:src|test|tools|fixtures|packages|scripts|openapi|\.github|\.vscode)\/(?!\S*\.cache)[\w./*{},-]*)`/g;

const readmes = ["README.md", ...globSync("packages/*/README.md", { cwd: root })];
const guides = globSync("packages/docs/src/content/docs/{guides,concepts,contract}/*.mdx", { cwd: root });
const withPlace = (sh: string, pnpm = "") => `${sh} title="${pnpm ? "In the root of the clone" : "In your program"}"`;
/** Pages that are read in a clone only. */
const maintainers = /packages.(?:samples|proofs).README/;
const isCheck = process.argv.includes("--check");
const faults: string[] = [];
for (const file of [...readmes, ...guides]) {
  const before = readFileSync(join(root, file), "utf8");
  const after = before
    .replaceAll(sampleBlock, (_, sample: string, language: string) => {
      const code = readFileSync(join(root, sample), "utf8").trimEnd();
      return `<!-- ${sample} -->\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
    })
    .replaceAll(included, (_, open: string, what: string, names = "", close: string) => {
      const said = what === "command" ? commandText(root) : installText(root, names.split(" ").filter(Boolean));
      // A page of the site says above each block where it is run.
      const text = open === "<!--" ? said : said.replace(/^```sh(?=\n(npx -y pnpm@12)?)/m, withPlace);
      return `${open} ${what}${names && `: ${names}`} ${close}\n\n${text}\n\n${open} /${what} ${close}`;
    })
    .replaceAll(errors, (_, files: string) => {
      const table = errorTable(files.split(" "));
      return `<!-- errors: ${files} -->\n\n${table}\n\n<!-- /errors -->`;
    });
  if (!maintainers.test(file) && bare.test(after) && !/^\S+ command \S+$/m.test(after))
    faults.push(
      `${file} names the command trainyard. Say how it is run, by two lines: <!-- command --> and <!-- /command -->`,
    );
  if (after !== before) faults.push(`${file}: what is inserted is out of date. Fix it with: npx -y pnpm@12 fix`);
  if (after !== before && !isCheck) writeFileSync(join(root, file), after);
}
if (isCheck) {
  const pages = ["ARCHITECTURE.md", "CONTRIBUTING.md", "openapi/README.md", "openapi/keys.md", ...readmes];
  faults.push(...pages.flatMap((page) => missingFiles(page)));
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
    .filter((file) => [root, join(root, dirname(page))].every((cwd) => globSync(file, { cwd }).length === 0))
    .map((file) => `${page} names \`${file}\`, which does not exist. Update the path, or remove the sentence.`);
}
