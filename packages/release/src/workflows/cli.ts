/**
 * `pnpm check workflows`: checks that the files in `.github` follow the rules and name only what exists, and that no
 * task depends on output of a run.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";
import { checkWorkflow } from "./check.ts";
import { checkForm } from "./forms.ts";
import { checkOwners } from "./owners.ts";
import type { Repository } from "./rule.ts";
import { checkTaskInputs } from "./task-inputs.ts";
import { checkUpdates } from "./updates.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const files = (pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();

const manifest: { scripts: Record<string, string> } = JSON.parse(read("package.json"));
// As the root's own scripts do it: a new clone has no built packages yet.
const parts = run(process.execPath, ["--conditions=@trainyard/source", join(root, "scripts/run.ts"), "--list"], {
  cwd: root,
})
  .trim()
  .split("\n");
const repository: Repository = {
  scripts: new Set([...Object.keys(manifest.scripts), ...parts]),
  has: (path) => existsSync(join(root, path)),
  fits: (pattern) => globSync(pattern, { cwd: root, exclude: (name) => name === "node_modules" }).length > 0,
};

const faults: string[] = [];
for (const file of files(".github/workflows/*.{yml,yaml}")) faults.push(...checkWorkflow(file, read(file), repository));
for (const file of files(".github/ISSUE_TEMPLATE/*.{yml,yaml}"))
  if (!/\/config\.ya?ml$/.test(file)) faults.push(...checkForm(file, read(file)));
faults.push(...checkOwners(".github/CODEOWNERS", read(".github/CODEOWNERS"), (pattern) => repository.fits(pattern)));
const { minimumReleaseAge } = parse(read("pnpm-workspace.yaml"));
faults.push(...checkUpdates(".github/renovate.json", read(".github/renovate.json"), minimumReleaseAge));
const folders = [...new Set(files("{scripts,packages/*}/package.json").map((file) => dirname(file)))];
for (const file of ["turbo.json", ...files("packages/*/turbo.json")])
  faults.push(...checkTaskInputs(file, read(file), folders));

if (faults.length > 0) {
  console.error(`${faults.join("\n")}\n\nEdit the lines that are named, then run: npx -y pnpm@12 check workflows`);
  process.exitCode = 1;
}
