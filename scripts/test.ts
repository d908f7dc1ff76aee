/** `pnpm test`: everything that must hold, through turbo's cache, with one summary at the end. */
import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkTasks } from "./lib/checks.ts";
import { countsOf, skippedLines, testsOf } from "./lib/reports.ts";
import { runTasks, type Task } from "./lib/tasks.ts";

const root = join(import.meta.dirname, "..");

const tasks: readonly Task[] = [
  ...checkTasks,
  { task: "build", holds: "every package builds", cure: "Edit the listed lines, then run: npx -y pnpm@12 build" },
  {
    task: "test",
    holds: "behavior, against real mocks",
    cure: "Repeat one package with: npx -y pnpm@12 exec vitest run --project <package>",
  },
];

console.log("Running what changed since it last passed. In a new clone that is all of it, which takes a few minutes.");
const written = (pattern: string): string[] =>
  globSync(`packages/*/.cache/${pattern}`, { cwd: root }).map((file) => join(root, file));
// Turbo restores those of tests that need not run again. Tests that do not run at all must not be counted.
for (const file of [...written("tests.json"), ...written("*.told.txt")]) rmSync(file);
const isPassed = runTasks(tasks);

const tests = testsOf(written("tests.json"));
for (const line of skippedLines(tests, "short")) console.log(line);
// The counts that a test prints.
for (const file of written("*.told.txt")) console.log(readFileSync(file, "utf8").trimEnd());
console.log(countsOf(tests));
process.exitCode = isPassed ? 0 : 1;
