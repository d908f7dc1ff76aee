import { availableParallelism } from "node:os";
import type { Task } from "./tasks.ts";

/** A check of `pnpm test` and `pnpm check`: what it verifies, and how to fix a failure. */
export interface Check extends Pick<Task, "holds" | "cure"> {
  /** Its name in `pnpm check types`. */
  readonly name: string;
  /** Commands from the root, one after the other. */
  readonly commands: readonly string[];
}

const node = "node --conditions=@trainyard/source";

/** In the order of the summary. */
export const checks: readonly Check[] = [
  {
    name: "contract",
    holds: "the documents keep every rule of the style guide",
    cure: "Edit the file and line that the rule names, then run: npx -y pnpm@12 check contract",
    commands: [`${node} packages/codegen/src/lint/cli.ts`],
  },
  {
    name: "generated",
    holds: "the generated files match the documents",
    cure: "Fix it with: npx -y pnpm@12 generate",
    commands: [`${node} packages/codegen/src/cli.ts --check`],
  },
  {
    name: "types",
    holds: "the whole repository type-checks, type tests included",
    cure: "Edit the listed lines, then run: npx -y pnpm@12 check types",
    // Each checker computes shared types again, and another task runs beside this one.
    commands: [`tsc -p tsconfig.json --checkers ${Math.ceil(availableParallelism() / 2)}`],
  },
  {
    name: "style",
    holds: "lint and format",
    cure: "Fix what can be fixed with: npx -y pnpm@12 fix (the rest by hand, at the listed lines)",
    commands: ["oxlint", "oxfmt --check"],
  },
  {
    name: "unused",
    holds: "no file, export or dependency without a use",
    cure: "Delete what is listed, or use it; then run: npx -y pnpm@12 check unused",
    commands: ["knip --treat-config-hints-as-errors"],
  },
  {
    name: "boundaries",
    holds: "packages import only what they may",
    cure: "Add the package to `dependencies`, or take another way (ARCHITECTURE.md, The map); then run: npx -y pnpm@12 check boundaries",
    commands: ["turbo boundaries"],
  },
  {
    name: "readme",
    holds: "the READMEs match the samples and sources",
    cure: "Fix the samples with: npx -y pnpm@12 fix (a missing file by hand, in the page that names it)",
    commands: ["node --conditions=@trainyard/source scripts/readme.ts --check"],
  },
  {
    name: "lockfile",
    holds: "at most 600 packages, none too young, for every platform",
    cure: "Change the listed version or setting, then run: npx -y pnpm@12 check lockfile",
    commands: ["node packages/release/src/lockfile/cli.ts"],
  },
  {
    name: "contents",
    holds: "each public package, packed, has what its readers and tools need",
    cure: "Edit the named file of the package, then run: npx -y pnpm@12 check contents",
    commands: [`${node} packages/release/src/contents/cli.ts`],
  },
];

/** The checks as tasks of turbo. */
export const checkTasks: readonly Task[] = checks.map(({ name, ...check }) => ({ task: `check:${name}`, ...check }));
