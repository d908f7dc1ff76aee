/** `pnpm test`: checks, builds and tests through turbo, then the sum of the closing lines of all packages. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reasons } from "./counts.ts";

const root = join(import.meta.dirname, "..");
const found = (pattern: string): string[] =>
  globSync(`packages/*/${pattern}`, { cwd: root }).map((file) => join(root, file));
// Turbo writes or restores what a task left, whether it ran or is cached. What does not run must not be counted.
for (const file of [...found(".turbo/turbo-test.log"), ...found(".cache/*.told.txt")]) rmSync(file);

// What tests that are ended leave behind goes with it.
const temporary = mkdtempSync(join(tmpdir(), "trainyard-test-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));

async function turbo(...args: string[]): Promise<number> {
  const child = spawn("turbo", args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    // The compiler and the linter live for seconds: they need not collect garbage as often as a program that stays.
    env: { GOGC: "400", ...process.env, TMPDIR: temporary },
  });
  // What is ended by Ctrl-C, ends first: it still writes into the folder.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => child.once("exit", () => process.exit(1)).kill(signal));
  const [code] = await once(child, "exit");
  return Number(code ?? 1);
}
console.log("Running what changed since it last passed. In a new clone that is all of it, which takes a few minutes.");
process.exitCode = Math.max(
  await turbo("boundaries"),
  await turbo("run", "checks", "build", "test", "--continue", "--log-prefix=none", "--log-order=grouped"),
);

const logs = found(".turbo/turbo-test.log").map((log) => readFileSync(log, "utf8"));
const skips = logs.flatMap((log) => [...log.matchAll(/^skipped: (\d+) (.*)$/gm)]);
const ends = logs.map((log) => [...log.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1));
const [passed, failed, skipped] = [1, 2, 3].map((at) => ends.reduce((sum, end) => sum + Number(end?.[at] ?? 0), 0));
console.log(["", ...reasons(skips.map(([, count, reason = ""]) => [reason, Number(count)]))].join("\n"));
// What tests count themselves.
for (const file of found(".cache/*.told.txt")) console.log(readFileSync(file, "utf8").trimEnd());
// A check or a build that fails has no counts of its own.
console.log(`${passed} passed, ${failed === 0 && process.exitCode !== 0 ? 1 : failed} failed, ${skipped} skipped`);
