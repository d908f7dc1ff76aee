/** The task of turbo for one check: runs its commands. The summary of `lib/tasks.ts` says how to fix a failure. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checks } from "./lib/checks.ts";

const [name, ...rest] = process.argv.slice(2);
const check = checks.find((one) => one.name === name);
if (check === undefined) throw new Error(`The check "${name}" does not exist.`);
for (const command of check.commands) {
  const { status, error } = spawnSync([command, ...rest].join(" "), {
    cwd: join(import.meta.dirname, ".."),
    stdio: "inherit",
    shell: true,
    // The compiler and the linter live for seconds: they need not collect garbage as often as a program that stays.
    env: { GOGC: "400", ...process.env },
  });
  if (error) throw error;
  if (status === 0) continue;
  process.exitCode = 1;
  break;
}
