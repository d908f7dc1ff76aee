/**
 * `pnpm bench size`: what a browser downloads, minified and compressed with gzip, compared with other clients in the same
 * run, and the size of each feature. `--check` fails if a size exceeds its bar, or the recorded size by more than 2 %;
 * `--write` records the sizes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measureFeatures, measureSizes } from "./bench/sizes.ts";

const ledger = join(import.meta.dirname, "sizes.json");
const written: Record<string, number> = JSON.parse(readFileSync(ledger, "utf8"));
const measured: Record<string, number> = {};
const faults = new Map<string, string>();

console.log(`${"min + gzip".padEnd(46)}      bytes       bar   written`);
for (const { name, bytes, bar } of await measureSizes()) {
  const before = written[name];
  const columns = [String(bytes).padStart(10), String(bar ?? "").padStart(9), String(before ?? "").padStart(9)];
  console.log(name.padEnd(46), ...columns);
  if (bar === undefined) continue;
  measured[name] = bytes;
  if (bytes > bar) faults.set(name, `${name} has ${bytes} bytes, more than its bar of ${bar}.`);
  else if (before === undefined || bytes > before * 1.02)
    faults.set(
      name,
      `${name} has ${bytes} bytes, more than 2 % above the ${before ?? 0} recorded in scripts/sizes.json.`,
    );
}
const isCheck = process.argv.includes("--check");
if (!isCheck) {
  const { extras, parts } = await measureFeatures();
  console.log("\nOn top of @trainyard/training, all methods: min + gzip");
  for (const [name, bytes] of extras) console.log(name.padEnd(46), String(bytes).padStart(10));
  console.log("\nThe parts of @trainyard/training, all methods: minified, before gzip");
  for (const [file, bytes] of parts) console.log(file.padEnd(56), String(bytes).padStart(6));
}
if (process.argv.includes("--write")) writeFileSync(ledger, `${JSON.stringify(measured, null, 2)}\n`);
else if (isCheck) {
  for (const fault of faults.values()) console.error(fault);
  console.log(`\n${Object.keys(measured).length - faults.size} passed, ${faults.size} failed`);
  if (faults.size > 0) {
    console.error("Make it smaller, or accept it with: npx -y pnpm@12 bench size --write");
    process.exitCode = 1;
  }
}
