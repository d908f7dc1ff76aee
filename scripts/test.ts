/**
 * `pnpm test`: everything that must hold, through turbo's cache, with one summary at the end.
 * The first failing check is printed whole, directly above the command that fixes it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { checks } from "./checks.ts";

const root = join(import.meta.dirname, "..");
const runs = join(root, ".turbo/runs");

interface TaskRun {
  taskId: string;
  task: string;
  cache: { status: "HIT" | "MISS" };
  execution: { startTime: number; endTime: number; exitCode: number | null } | null;
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

/** What turbo wrote of its own run; undefined where it failed before it ran anything. */
function lastRun(): TaskRun[] | undefined {
  if (!existsSync(runs)) return undefined;
  const file = readdirSync(runs).find((name) => name.endsWith(".json"));
  return file === undefined ? undefined : JSON.parse(readFileSync(join(runs, file), "utf8")).tasks;
}

function reports(): Report[] {
  return globSync("packages/*/.cache/tests.json", { cwd: root }).map((file) =>
    JSON.parse(readFileSync(join(root, file), "utf8")),
  );
}

function seconds(tasks: TaskRun[]): string {
  if (tasks.every((task) => task.cache.status === "HIT")) return "cached";
  const milliseconds = tasks.reduce(
    (sum, { execution }) => sum + (execution === null ? 0 : execution.endTime - execution.startTime),
    0,
  );
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

rmSync(runs, { recursive: true, force: true });
console.log("Running what changed since it last passed. In a new clone that is all of it, which takes a few minutes.");
const names = checks.map((check) => check.task);
const turbo = spawnSync(
  "turbo",
  [
    "run",
    ...names,
    "--output-logs=errors-only",
    "--log-prefix=none",
    "--log-order=grouped",
    "--summarize",
    "--ui=stream",
    // Tests and builds fill a processor each; more at once cost each other time.
    `--concurrency=${availableParallelism()}`,
  ],
  {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      // The tests start hundreds of processes of the same sources: without it, each compiles them anew.
      NODE_COMPILE_CACHE: join(root, ".turbo/compile"),
      TURBO_TELEMETRY_DISABLED: "1",
      TURBO_NO_UPDATE_NOTIFIER: "1",
      REDOCLY_TELEMETRY: "off",
    },
  },
);
if (turbo.error) throw turbo.error;
const failed = turbo.status !== 0;
if (failed) process.stdout.write(turbo.stdout);

const tasks = lastRun() ?? [];
console.log();
for (const check of checks) {
  const own = tasks.filter((task) => task.task === check.task && task.execution !== null);
  const broken = own.find((task) => task.execution?.exitCode !== 0);
  const mark = broken ? "✗" : own.length === 0 ? "·" : "✓";
  const time = own.length === 0 ? "not run" : seconds(own);
  console.log(`${mark} ${check.task.padEnd(18)} ${check.holds.padEnd(58)} ${time.padStart(8)}`);
  if (broken) console.log(`  ${broken.taskId} failed, see above. ${check.cure}`);
}

const all = reports();
const count = (key: "numPassedTests" | "numFailedTests" | "numPendingTests"): number =>
  all.reduce((sum, report) => sum + report[key], 0);
for (const report of all) {
  for (const { assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status === "skipped" || status === "pending") console.log(`skipped: ${fullName}`);
    }
  }
}
// What a test counted, and says of it.
for (const file of globSync("packages/*/.cache/*.told.txt", { cwd: root }))
  console.log(readFileSync(join(root, file), "utf8").trimEnd());
console.log(
  `\n${count("numPassedTests")} passed, ${count("numFailedTests")} failed, ${count("numPendingTests")} skipped`,
);
process.exitCode = failed ? 1 : 0;
