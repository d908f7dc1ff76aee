/**
 * `pnpm test all [part…]`: everything in its full length, or the named parts: `pnpm test`, the long forms, the rehearsal of a
 * release and the benchmarks. A failure does not stop the others. What fails is run once more. Ends with one summary: what
 * passed, what failed, what passed only the second time, and what was skipped. `--write` keeps the results in `PROOFS.md` of
 * the working folder, with the commit at which each was seen.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { markdownTable } from "@trainyard/host/table";
import { commands } from "./lib/commands.ts";

interface Part {
  /** Its command: `test packages`. */
  readonly script: string;
  readonly holds: string;
}

const root = join(import.meta.dirname, "..");
const args = process.argv.slice(2).filter((arg) => arg !== "--write");
const { test, bench } = commands;
const longForms = Object.entries(test?.parts ?? {}).filter(([name]) => !["all", "short"].includes(name));
const all: readonly Part[] = [
  { script: "test", holds: "every check, and every test in its short form" },
  { script: "check release", holds: "changesets, which match the changes of the contract" },
  ...longForms.map(([name, { does }]) => ({ script: `test ${name}`, holds: does })),
  { script: "release dry", holds: "a release, into a registry on this machine" },
  { script: "bench size --check", holds: "what a browser downloads" },
  ...Object.entries(bench?.parts ?? {}).flatMap(([name, { does }]) => {
    const keeps = does.includes("`--write` keeps") ? " --write" : "";
    return name === "size" ? [] : [{ script: `bench ${name}${keeps}`, holds: does }];
  }),
];
const parts = all.filter(({ script }) => {
  const [command = "", name = ""] = script.split(" ");
  return args.length === 0 || args.includes(script) || args.includes(`${command} ${name}`);
});
const unknown = args.find((arg) => !parts.some(({ script }) => `${script} `.startsWith(`${arg} `)));
if (unknown !== undefined) {
  console.error(`There is no proof "${unknown}". A name is a command, such as "test fuzz" or "bench server".`);
  process.exit(2);
}

/** The marks of lines in the output of `pnpm test`, of long forms, of vitest and of steps. */
const failing = /^\s*(?:✗|FAIL) +(.+?)(?: +\d+(?:\.\d+)? s)?$/gm;
const skipping = /^(?:skipped: |· (?=.*: skipped\.))(.+)$/gm;
const counting = /^(\d+) passed, (\d+) failed/gm;

/** Runs a part, reads its output, and shows all of it if it failed, and else its last paragraph. */
async function run({ script }: Part, says: string) {
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
    /** The names of failures and the groups of skips in the part's own output, and its counts. */
    failed: namesOf(failing),
    skipped: namesOf(skipping),
    // What ends without its counts, or fails outside of its tests, is one failure.
    counts: { passed: Number(passed ?? 0), failed: Math.max(Number(failed ?? 0), isPassed ? 0 : 1) },
    /** How many bars a benchmark met, and how many it missed. */
    bars: script.startsWith("bench ") ? barsOf(text) : "",
  };
}

/** The summary of a benchmark, or the count of its marks: some list their bars, and fail for none. */
function barsOf(text: string): string {
  const count = (mark: RegExp) => text.match(mark)?.length ?? 0;
  const [met, missed] = [count(/^✓ /gm), count(/^✗ /gm)];
  return /\d+ bars met, \d+ not met/.exec(text)?.[0] ?? (met + missed > 0 ? `${met} bars met, ${missed} not met` : "");
}

type Outcome = Awaited<ReturnType<typeof run>>;
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
if (process.argv.includes("--write")) keep();
process.exitCode = outcomes.some(({ first, again = first }) => !again.isPassed) ? 1 : 0;

/** Writes the results of this run into the page of proofs, which keeps those of the other parts. */
function keep(): void {
  const page = "PROOFS.md";
  const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
  const isClean = git("status", "--porcelain", "--", ".", ":!PROOFS.md", ":!*RESULTS.md") === "";
  const at = `${git("rev-parse", "--short=8", "HEAD")}${isClean ? "" : " and changes"}, ${new Date().toISOString().slice(0, 10)}`;
  const rows = new Map(
    (existsSync(page) ? readFileSync(page, "utf8") : "").split("\n").flatMap((line) => {
      const [, script = "", , ...cells] = line.split(/ *\| */);
      return line.startsWith("| `pnpm ") ? [[script, cells.slice(0, 3)] as const] : [];
    }),
  );
  for (const { part, first, again } of outcomes) {
    const { isPassed, counts, bars, skipped: left, seconds } = again ?? first;
    const tests = counts.passed + counts.failed > 0 ? `${counts.passed} passed, ${counts.failed} failed` : "passed";
    const result = [
      bars || tests,
      ...(again && isPassed ? ["at the second attempt"] : []),
      ...[...left].map((name) => `skipped: ${name}`),
    ];
    rows.set(`\`pnpm ${part.script}\``, [result.join("; "), `${Math.round(seconds)} s`, at]);
  }
  const cells = all.map(({ script, holds }) => {
    const name = `\`pnpm ${script}\``;
    return [name, holds, ...(rows.get(name) ?? ["not run", "", ""])];
  });
  const table = markdownTable([["command", "what it looks at", "result", "time", "seen at"], ...cells]);
  writeFileSync(
    page,
    `# Proofs\n\nWritten by \`pnpm test all --write\`. Each row says at which commit it was seen; a proof that was not run says so.\n\n${table}\n`,
  );
}
