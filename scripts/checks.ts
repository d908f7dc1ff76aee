/** A check of `pnpm test`: a turbo task, what holds when it passes, and what to do when it fails. */
export interface Check {
  readonly task: string;
  readonly holds: string;
  readonly cure: string;
}

/** In the order of the summary. */
export const checks: readonly Check[] = [
  {
    task: "check:contract",
    holds: "the documents keep every rule of the style guide",
    cure: "Edit the file and line that the rule names, then run: npx -y pnpm@12 check:contract",
  },
  {
    task: "check:generated",
    holds: "the generated files are what the documents say",
    cure: "Fix it with: npx -y pnpm@12 generate",
  },
  {
    task: "check:types",
    holds: "the whole repository type-checks, type tests included",
    cure: "Edit the lines that are named, then run: npx -y pnpm@12 check:types",
  },
  {
    task: "check:style",
    holds: "lint and format",
    cure: "Fix what can be fixed with: npx -y pnpm@12 fix (the rest by hand, at the lines that are named)",
  },
  {
    task: "check:unused",
    holds: "no file, export or dependency without a use",
    cure: "Delete what is named, or use it; then run: npx -y pnpm@12 check:unused",
  },
  {
    task: "check:boundaries",
    holds: "packages import only what they may",
    cure: "Add the package to `dependencies`, or take another way (CONTRIBUTING.md, Arrows); then run: npx -y pnpm@12 check:boundaries",
  },
  {
    task: "check:readme",
    holds: "what the READMEs show is what the samples and sources say",
    cure: "Fix it with: npx -y pnpm@12 readme",
  },
  {
    task: "check:workflows",
    holds: "workflows and forms: pins, rights, and what they name",
    cure: "Edit the lines that are named, then run: npx -y pnpm@12 check:workflows",
  },
  {
    task: "check:lockfile",
    holds: "at most 600 packages, none too young, for every platform",
    cure: "Set the version or setting that is named, then run: npx -y pnpm@12 check:lockfile",
  },
  {
    task: "build",
    holds: "every package builds",
    cure: "Edit the lines that are named, then run: npx -y pnpm@12 build",
  },
  {
    task: "test",
    holds: "behavior, against real mocks",
    cure: "Repeat one package with: npx -y pnpm@12 exec vitest run --project <package>",
  },
];
