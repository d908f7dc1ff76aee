/** A check of `pnpm test` and `pnpm check`: what holds when it passes, and what to do when it fails. */
export interface Check {
  /** As it is called: `pnpm check types`. */
  readonly name: string;
  readonly holds: string;
  readonly cure: string;
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
    holds: "the generated files are what the documents say",
    cure: "Fix it with: npx -y pnpm@12 generate",
    commands: [`${node} packages/codegen/src/cli.ts --check`],
  },
  {
    name: "types",
    holds: "the whole repository type-checks, type tests included",
    cure: "Edit the lines that are named, then run: npx -y pnpm@12 check types",
    commands: ["tsc -p tsconfig.json"],
  },
  {
    name: "style",
    holds: "lint and format",
    cure: "Fix what can be fixed with: npx -y pnpm@12 fix (the rest by hand, at the lines that are named)",
    commands: ["oxlint", "oxfmt --check"],
  },
  {
    name: "unused",
    holds: "no file, export or dependency without a use",
    cure: "Delete what is named, or use it; then run: npx -y pnpm@12 check unused",
    commands: ["knip --no-config-hints"],
  },
  {
    name: "boundaries",
    holds: "packages import only what they may",
    cure: "Add the package to `dependencies`, or take another way (ARCHITECTURE.md, The map); then run: npx -y pnpm@12 check boundaries",
    commands: ["turbo boundaries"],
  },
  {
    name: "readme",
    holds: "what the READMEs show is what the samples and sources say",
    cure: "Fix the samples with: npx -y pnpm@12 fix (a file that is not there by hand, in the page that names it)",
    commands: ["node scripts/readme.ts --check"],
  },
  {
    name: "workflows",
    holds: "workflows and tasks: pins, limits, and what they name",
    cure: "Edit the lines that are named, then run: npx -y pnpm@12 check workflows",
    commands: [`${node} packages/release/src/workflows/cli.ts`],
  },
  {
    name: "lockfile",
    holds: "at most 600 packages, none too young, for every platform",
    cure: "Set the version or setting that is named, then run: npx -y pnpm@12 check lockfile",
    commands: ["node packages/release/src/lockfile/cli.ts"],
  },
];
