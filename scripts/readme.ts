/**
 * `pnpm fix`: inserts each sample that a README names with `<!-- path -->` below that line, as a fenced block, so that
 * READMEs show tested code; and between `<!-- errors: files -->` and `<!-- /errors -->` the table of the errors in these
 * files. `--check` reports stale READMEs, and missing files that pages for maintainers name.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorTable } from "./lib/error-table.ts";
import { missingFiles } from "./lib/named-files.ts";

const root = join(import.meta.dirname, "..");
const sampleBlock = /^<!-- (packages\/samples\/\S+\.(\w+)) -->\n(?:\n```\w+\n[\s\S]*?\n```\n)?/gm;
const errors = /^<!-- errors: (.+) -->\n[\s\S]*?<!-- \/errors -->$/gm;

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
      const table = errorTable(root, files.split(" "));
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
    ...pages.flatMap((page) => missingFiles(root, page)),
  ];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
