/**
 * `pnpm test all`: everything in its full length: `pnpm test`, and the long forms. A failure does not stop the others. Ends
 * with one summary: what passed, what failed and what was skipped, by name.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { commands } from "./lib/commands.ts";

interface Part {
  /** Its command: `test packages`. */
  readonly script: string;
  readonly holds: string;
}

const longForms = Object.entries(commands["test"]?.parts ?? {}).filter(([name]) => name !== "all" && name !== "short");
const parts: readonly Part[] = [
  { script: "test", holds: "every check, and every test in its short form" },
  { script: "check release", holds: "changesets, which match the changes of the contract" },
  ...longForms.map(([name, { does }]) => ({ script: `test ${name}`, holds: does })),
  { script: "release dry", holds: "a release, into a registry on this machine" },
  { script: "bench size --check", holds: "what a browser downloads" },
];

interface Outcome {
  readonly passed: boolean;
  readonly seconds: number;
  /** The names of failures in the part's own output. */
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}

/** The marks of lines in the output of `pnpm test`, of long forms, and of vitest. */
const failing = /^\s*(?:✗|FAIL) +(.+?)(?: +\d+(?:\.\d+)? s)?$/;
const skipping = /^\s*(?:skipped: |↓ |· (?=.*: skipped\.))(.+)$/;

/** Runs a part, shows its output, and collects the names of failures and skips. */
async function run({ script }: Part): Promise<Outcome> {
  const start = performance.now();
  const failed: string[] = [];
  const skipped: string[] = [];
  const child = spawn("pnpm", ["run", ...script.split(" ")], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  for (const [stream, shown] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    createInterface(stream).on("line", (line) => {
      shown.write(`${line}\n`);
      const text = stripVTControlCharacters(line);
      const [, bad] = failing.exec(text) ?? [];
      if (bad !== undefined) failed.push(bad);
      const [, left] = skipping.exec(text) ?? [];
      if (left !== undefined) skipped.push(left.replace(": skipped.", ":"));
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { passed: code === 0, seconds: (performance.now() - start) / 1000, failed, skipped };
}

const outcomes: [Part, Outcome][] = [];
for (const part of parts) {
  console.log(`\n── ${part.script}: ${part.holds}\n`);
  outcomes.push([part, await run(part)]);
}

console.log("\n── all of it\n");
for (const [{ script, holds }, { passed, seconds, failed, skipped }] of outcomes) {
  console.log(
    `${passed ? "✓" : "✗"} ${script.padEnd(18)} ${holds.padEnd(80)} ${`${seconds.toFixed(1)} s`.padStart(8)}`,
  );
  if (!passed) {
    for (const name of new Set(failed)) console.log(`    failed: ${name}`);
    console.log(`  See above. Repeat it with: npx -y pnpm@12 ${script}`);
  }
  for (const name of new Set(skipped)) console.log(`    skipped: ${name}`);
}
const bad = outcomes.filter(([, { passed }]) => !passed).length;
const left = outcomes.reduce((sum, [, { skipped }]) => sum + new Set(skipped).size, 0);
console.log(`\n${outcomes.length - bad} passed, ${bad} failed; ${left} skipped within them`);
process.exitCode = bad > 0 ? 1 : 0;
