/** `pnpm test`: everything that must hold, through turbo's cache, with one summary at the end. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checks } from "./lib/checks.ts";
import { runTasks, type Task } from "./lib/tasks.ts";

const root = join(import.meta.dirname, "..");

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { assertionResults: { status: string; fullName: string; tags: string[] }[] }[];
}

const tasks: readonly Task[] = [
  ...checks.map(({ name, holds, cure }) => ({ task: `check:${name}`, shown: `check ${name}`, holds, cure })),
  {
    task: "build",
    shown: "build",
    holds: "every package builds",
    cure: "Edit the listed lines, then run: npx -y pnpm@12 build",
  },
  {
    task: "test",
    shown: "test",
    holds: "behavior, against real mocks",
    cure: "Repeat one package with: npx -y pnpm@12 exec vitest run --project <package>",
  },
];

console.log("Running what changed since it last passed. In a new clone that is all of it, which takes a few minutes.");
const { passed } = runTasks(tasks);

const reports: Report[] = globSync("packages/*/.cache/tests.json", { cwd: root }).map((file) =>
  JSON.parse(readFileSync(join(root, file), "utf8")),
);
const count = (key: "numPassedTests" | "numFailedTests" | "numPendingTests"): number =>
  reports.reduce((sum, report) => sum + report[key], 0);
const tests = reports.flatMap(({ testResults }) => testResults.flatMap(({ assertionResults }) => assertionResults));
const skipped = tests.filter(({ status }) => status === "skipped" || status === "pending");
for (const { fullName, tags } of skipped) if (!tags.includes("long")) console.log(`skipped: ${fullName}`);
const long = skipped.filter(({ tags }) => tags.includes("long")).length;
if (long > 0) console.log(`skipped: ${long} long tests, which \`pnpm test long\` runs`);
// The counts that a test prints.
for (const file of globSync("packages/*/.cache/*.told.txt", { cwd: root }))
  console.log(readFileSync(join(root, file), "utf8").trimEnd());
console.log(
  `\n${count("numPassedTests")} passed, ${count("numFailedTests")} failed, ${count("numPendingTests")} skipped`,
);
process.exitCode = passed ? 0 : 1;
