/** `pnpm test`: checks, builds and tests through turbo, then the sum of the closing lines of all packages. */
import { spawnSync } from "node:child_process";
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

function turbo(...args: string[]): number {
  const { status, error } = spawnSync("turbo", args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    // The compiler and the linter live for seconds: they need not collect garbage as often as a program that stays.
    env: { GOGC: "400", ...process.env, TMPDIR: temporary },
  });
  if (error) throw error;
  return status ?? 1;
}
console.log("Running what changed since it last passed. In a new clone that is all of it, which takes a few minutes.");
const codes = [
  turbo("boundaries"),
  turbo("run", "checks", "build", "test", "--continue", "--log-prefix=none", "--log-order=grouped"),
];
process.exitCode = Math.max(...codes);

const counts = { passed: 0, failed: 0, skipped: 0 };
const skipped: string[] = [];
for (const text of found(".turbo/turbo-test.log").map((log) => readFileSync(log, "utf8"))) {
  for (const [, count, reason = ""] of text.matchAll(/^skipped: (\d+) (.*)$/gm))
    skipped.push(...Array.from({ length: Number(count) }, () => reason));
  const [, ...last] = [...text.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1) ?? [];
  for (const [at, name] of (["passed", "failed", "skipped"] as const).entries()) counts[name] += Number(last[at] ?? 0);
}
console.log(["", ...reasons(skipped)].join("\n"));
// What tests count themselves.
for (const file of found(".cache/*.told.txt")) console.log(readFileSync(file, "utf8").trimEnd());
// A check or a build that fails has no counts of its own.
const failed = counts.failed === 0 && process.exitCode !== 0 ? 1 : counts.failed;
console.log(`${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
