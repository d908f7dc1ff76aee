/**
 * `pnpm check types`: one check, and what to do where it fails. `pnpm test` says that in its summary, so that it is not said
 * twice there.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checks } from "./lib/checks.ts";

const [name, ...rest] = process.argv.slice(2);
const check = checks.find((one) => one.name === name);
if (check === undefined) throw new Error(`There is no check "${name}".`);
for (const command of check.commands) {
  const { status, error } = spawnSync([command, ...rest].join(" "), {
    cwd: join(import.meta.dirname, ".."),
    stdio: "inherit",
    shell: true,
  });
  if (error) throw error;
  if (status === 0) continue;
  if (process.env["TURBO_HASH"] === undefined) console.error(`\n${check.cure}`);
  process.exitCode = 1;
  break;
}
