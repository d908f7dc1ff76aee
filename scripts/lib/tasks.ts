import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const runs = join(root, ".turbo/runs");

/** A turbo task that is run and listed in the summary. */
export interface Task {
  readonly task: string;
  readonly holds: string;
  readonly cure: string;
}

interface TaskRun {
  taskId: string;
  task: string;
  cache: { status: "HIT" | "MISS" };
  execution: { startTime: number; endTime: number; exitCode: number | null } | null;
}

/** Turbo's own report of its run; undefined if it failed before it ran a task. */
function lastRun(): TaskRun[] | undefined {
  if (!existsSync(runs)) return undefined;
  const file = readdirSync(runs).find((name) => name.endsWith(".json"));
  return file === undefined ? undefined : JSON.parse(readFileSync(join(runs, file), "utf8")).tasks;
}

function seconds(tasks: TaskRun[]): string {
  if (tasks.every((task) => task.cache.status === "HIT")) return "cached";
  const milliseconds = tasks.reduce(
    (sum, { execution }) => sum + (execution === null ? 0 : execution.endTime - execution.startTime),
    0,
  );
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/**
 * Runs tasks through turbo's cache, and prints a line for each. The first failure is printed in full, directly above the
 * command that fixes it. Returns whether all passed.
 */
export function runTasks(all: readonly Task[]): boolean {
  rmSync(runs, { recursive: true, force: true });
  const names = all.map(({ task }) => task);
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
      // Tests and builds use a whole processor each, so more of them at once would slow each other down.
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
        // The tests start hundreds of processes with the same sources, which would otherwise each compile them.
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
  for (const check of all) {
    const own = tasks.filter((task) => task.task === check.task && task.execution !== null);
    const broken = own.find((task) => task.execution?.exitCode !== 0);
    const mark = broken ? "✗" : own.length === 0 ? "·" : "✓";
    const time = own.length === 0 ? "not run" : seconds(own);
    console.log(`${mark} ${check.task.replace(":", " ").padEnd(18)} ${check.holds.padEnd(58)} ${time.padStart(8)}`);
    if (broken) console.log(`  ${broken.taskId} failed, see above. ${check.cure}`);
  }
  return !failed;
}
