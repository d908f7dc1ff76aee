/**
 * `pnpm test all`: everything in its full length: `pnpm test`, and the long forms. `pnpm test release`: `pnpm test`, and the
 * proofs that a release depends on. A failure does not stop the others. What fails is run once more. Ends with one
 * summary: what passed, what failed, what passed only the second time, and what was skipped, by name.
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

const longForms = Object.entries(commands["test"]?.parts ?? {}).filter(
  ([name]) => !["all", "release", "short"].includes(name),
);
const all: readonly Part[] = [
  { script: "test", holds: "every check, and every test in its short form" },
  { script: "check release", holds: "changesets, which match the changes of the contract" },
  ...longForms.map(([name, { does }]) => ({ script: `test ${name}`, holds: does })),
  { script: "release dry", holds: "a release, into a registry on this machine" },
  { script: "bench size --check", holds: "what a browser downloads" },
];
const ofRelease = new Set([
  ...["long", "packages", "libraries", "standalone", "samples", "verify", "console", "page", "site"].map(
    (name) => `test ${name}`,
  ),
  "release dry",
  "bench size --check",
]);
const parts =
  process.argv[2] === "release" ? all.filter(({ script }) => script === "test" || ofRelease.has(script)) : all;

interface Outcome {
  readonly isPassed: boolean;
  readonly seconds: number;
  readonly output: string;
  /** The names of failures and skips in the part's own output, and its counts. */
  readonly failed: ReadonlySet<string>;
  readonly skipped: ReadonlySet<string>;
  readonly counts: { readonly passed: number; readonly failed: number };
}

/** The marks of lines in the output of `pnpm test`, of long forms, and of vitest. Long tests are a part of their own. */
const failing = /^\s*(?:✗|FAIL) +(.+?)(?: +\d+(?:\.\d+)? s)?$/gm;
const skipping = /^(?:skipped: (?!\d+ long tests)|· (?=.*: skipped\.))(.+)$/gm;
const counting = /^(\d+) passed, (\d+) failed/gm;

/** Runs a part, and reads its output. */
async function run({ script }: Part): Promise<Outcome> {
  const start = performance.now();
  const child = spawn("pnpm", ["run", ...script.split(" ")], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on("line", (line) => (output += `${line}\n`));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const text = stripVTControlCharacters(output);
  const namesOf = (pattern: RegExp) =>
    new Set([...text.matchAll(pattern)].map(([, name = ""]) => name.replace(": skipped.", ":")));
  const [, passed, failed] = [...text.matchAll(counting)].at(-1) ?? [];
  return {
    isPassed: code === 0,
    seconds: (performance.now() - start) / 1000,
    output,
    failed: namesOf(failing),
    skipped: namesOf(skipping),
    // What ends without its counts, or fails outside of its tests, is one failure.
    counts: { passed: Number(passed ?? 0), failed: Math.max(Number(failed ?? 0), code === 0 ? 0 : 1) },
  };
}

/** Runs a part, and once more if it fails. Shows all that it prints if it fails, and else its last paragraph. */
async function runTwice(part: Part): Promise<readonly Outcome[]> {
  const tries: Outcome[] = [];
  while (tries.length < 2 && tries.at(-1)?.isPassed !== true) {
    console.log(`\n── ${part.script}: ${tries.length === 0 ? part.holds : "it failed, and is run once more"}\n`);
    const outcome = await run(part);
    tries.push(outcome);
    const { isPassed, output, seconds } = outcome;
    console.log(
      isPassed
        ? output
            .trimEnd()
            .split(/\n\s*\n/)
            .at(-1)
        : output.trimEnd(),
    );
    console.log(`${isPassed ? "✓" : "✗"} ${part.script}, after ${seconds.toFixed(1)} s`);
  }
  return tries;
}

const outcomes: [Part, readonly Outcome[]][] = [];
for (const part of parts) outcomes.push([part, await runTwice(part)]);

console.log("\n── all of it\n");
let [passed, failed, skipped] = [0, 0, 0];
let isRed = false;
for (const [{ script, holds }, tries] of outcomes) {
  const last = tries.at(-1);
  if (last === undefined) continue;
  const mark = !last.isPassed ? "✗" : tries.length > 1 ? "?" : "✓";
  const seconds = tries.map((one) => `${one.seconds.toFixed(1)} s`).join(" + ");
  console.log(`${mark} ${script.padEnd(18)} ${holds.padEnd(92)} ${seconds.padStart(8)}`);
  if (tries.length > 1) {
    console.log(
      last.isPassed
        ? "  Unsteady: it failed, and passed when it was repeated. Look for the cause in its first output above."
        : `  It failed twice, see above. Repeat it with: npx -y pnpm@12 ${script}`,
    );
    for (const name of tries[last.isPassed ? 0 : 1]?.failed ?? []) console.log(`    failed: ${name}`);
  }
  for (const name of last.skipped) console.log(`    skipped: ${name}`);
  passed += last.counts.passed;
  failed += last.counts.failed;
  skipped += last.skipped.size;
  isRed ||= !last.isPassed;
}
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = isRed ? 1 : 0;
