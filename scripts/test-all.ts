/**
 * `pnpm test all`: everything in its full length: `pnpm test`, and the long forms. `pnpm test release`: `pnpm test`, and the
 * proofs that a release depends on. A failure does not stop the others. What fails is run once more. Ends with one
 * summary: what passed, what failed, what passed only the second time, and what was skipped.
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

const root = join(import.meta.dirname, "..");
const isRelease = process.argv[2] === "release";
/** The long forms that a release depends on. */
const proofs = new Set(["long", "packages", "libraries", "standalone", "samples", "verify", "console", "page", "site"]);
const longForms = Object.entries(commands["test"]?.parts ?? {}).filter(([name]) =>
  isRelease ? proofs.has(name) : !["all", "release", "short"].includes(name),
);
const changesets = { script: "check release", holds: "changesets, which match the changes of the contract" };
const parts: readonly Part[] = [
  { script: "test", holds: "every check, and every test in its short form" },
  ...(isRelease ? [] : [changesets]),
  ...longForms.map(([name, { does }]) => ({ script: `test ${name}`, holds: does })),
  { script: "release dry", holds: "a release, into a registry on this machine" },
  { script: "bench size --check", holds: "what a browser downloads" },
];

interface Outcome {
  readonly isPassed: boolean;
  readonly seconds: number;
  /** The names of failures and the groups of skips in the part's own output, and its counts. */
  readonly failed: ReadonlySet<string>;
  readonly skipped: ReadonlySet<string>;
  readonly counts: { readonly passed: number; readonly failed: number };
}

/** The marks of lines in the output of `pnpm test`, of long forms, of vitest and of steps. */
const failing = /^\s*(?:✗|FAIL) +(.+?)(?: +\d+(?:\.\d+)? s)?$/gm;
const skipping = /^(?:skipped: |· (?=.*: skipped\.))(.+)$/gm;
const counting = /^(\d+) passed, (\d+) failed/gm;

/** Runs a part, reads its output, and shows all of it if it failed, and else its last paragraph. */
async function run({ script }: Part, says: string): Promise<Outcome> {
  console.log(`\n── ${script}: ${says}\n`);
  const start = performance.now();
  const child = spawn("pnpm", ["run", ...script.split(" ")], {
    cwd: root,
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
  const isPassed = code === 0;
  const seconds = (performance.now() - start) / 1000;
  console.log(isPassed ? output.trimEnd().split("\n\n").at(-1) : output.trimEnd());
  console.log(`${isPassed ? "✓" : "✗"} ${script}, after ${seconds.toFixed(1)} s`);
  return {
    isPassed,
    seconds,
    failed: namesOf(failing),
    skipped: namesOf(skipping),
    // What ends without its counts, or fails outside of its tests, is one failure.
    counts: { passed: Number(passed ?? 0), failed: Math.max(Number(failed ?? 0), isPassed ? 0 : 1) },
  };
}

const outcomes: { readonly part: Part; readonly first: Outcome; readonly again: Outcome | undefined }[] = [];
for (const part of parts) {
  const first = await run(part, part.holds);
  const again = first.isPassed ? undefined : await run(part, "it failed, and is run once more, alone");
  outcomes.push({ part, first, again });
}

console.log("\n── all of it\n");
let [passed, failed, skipped] = [0, 0, 0];
const scripts = new Set(parts.map(({ script }) => script));
for (const { part, first, again } of outcomes) {
  const { script, holds } = part;
  const last = again ?? first;
  const seconds = [first, ...(again ? [again] : [])].map((one) => `${one.seconds.toFixed(1)} s`).join(" + ");
  const mark = !last.isPassed ? "✗" : again ? "?" : "✓";
  console.log(`${mark} ${script.padEnd(18)} ${holds.padEnd(100)} ${seconds.padStart(8)}`);
  if (again?.isPassed)
    console.log(
      "  Unsteady: it failed, and passed when it was repeated. Look for the cause in its first output above.",
    );
  else if (again) console.log(`  It failed twice, see above. Repeat it with: npx -y pnpm@12 ${script}`);
  for (const name of again ? first.failed : []) console.log(`    failed: ${name}`);
  // What one part skips may be a part of its own.
  const left = [...last.skipped].filter((name) => !scripts.has(/: pnpm (test \S+)$/.exec(name)?.[1] ?? ""));
  for (const name of left) console.log(`    skipped: ${name}`);
  passed += last.counts.passed;
  failed += last.counts.failed;
  for (const name of left) skipped += Number(/^(\d+) /.exec(name)?.[1] ?? 1);
}
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = outcomes.some(({ first, again = first }) => !again.isPassed) ? 1 : 0;
