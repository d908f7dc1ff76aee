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
    cure: "Mend it with: npx -y pnpm@12 generate",
  },
  {
    task: "check:types",
    holds: "the whole repository type-checks, type tests included",
    cure: "Repeat it with: npx -y pnpm@12 check:types",
  },
  { task: "check:style", holds: "lint and format", cure: "Mend what can be mended with: npx -y pnpm@12 fix" },
  {
    task: "check:unused",
    holds: "no file, export or dependency without a use",
    cure: "Repeat it with: npx -y pnpm@12 check:unused",
  },
  {
    task: "check:boundaries",
    holds: "packages import only what they may",
    cure: "Repeat it with: npx -y pnpm@12 check:boundaries",
  },
  {
    task: "check:readme",
    holds: "what the READMEs show is what the samples and sources say",
    cure: "Mend it with: npx -y pnpm@12 readme",
  },
  { task: "build", holds: "every package builds", cure: "Repeat it with: npx -y pnpm@12 build" },
  {
    task: "test",
    holds: "behavior, against real mocks",
    cure: "Repeat one package with: npx -y pnpm@12 exec vitest run --project <package>",
  },
];
