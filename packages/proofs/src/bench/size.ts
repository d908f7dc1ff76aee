/**
 * `pnpm bench size`: what a browser downloads, minified and compressed with gzip, of all clients or of those of the services
 * that are named. It fails if a size exceeds its bar; with `--check`, also if it exceeds the recorded size by more than 2 %.
 * `--write` records the sizes. Both leave out the client of a large document, which takes half a minute to make.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textTable } from "@trainyard/terminal/table";
import { measureSizes } from "./sizes.ts";

const ledger = join(import.meta.dirname, "sizes.json");
const written: Record<string, number> = JSON.parse(readFileSync(ledger, "utf8"));
const measured: Record<string, number> = {};
const over: string[] = [];
const grown: string[] = [];

const isCheck = process.argv.includes("--check");
const isWrite = process.argv.includes("--write");
const services = isWrite ? [] : process.argv.slice(2).filter((word) => !word.startsWith("-"));
const rows = [["min + gzip", "bytes", "bar", "written"]];
const withLarge = !isCheck && !isWrite && services.length === 0;
for (const { name, bytes, bar } of await measureSizes(services, withLarge)) {
  const before = written[name];
  rows.push([name, String(bytes), String(bar), String(before ?? "")]);
  measured[name] = bytes;
  if (bytes > bar)
    over.push(`${name} has ${bytes} bytes, more than its bar of ${bar} (packages/proofs/src/bench/sizes.ts).`);
  else if (before === undefined || bytes > before * 1.02)
    grown.push(
      `${name} has ${bytes} bytes, more than 2 % above the ${before ?? 0} recorded in packages/proofs/src/bench/sizes.json.`,
    );
}
if (rows.length === 1) {
  console.log(`No size is measured for: ${services.join(", ")}.`);
  process.exit();
}
console.log(textTable(rows).join("\n"));
if (isWrite && over.length === 0) writeFileSync(ledger, `${JSON.stringify(measured, null, 2)}\n`);
const failed = isCheck && !isWrite ? [...over, ...grown] : over;
for (const fault of failed) console.error(fault);
console.log(`\n${Object.keys(measured).length - failed.length} passed, ${failed.length} failed`);
if (over.length > 0) console.error("Make it smaller; `--write` accepts nothing above a bar.");
else if (failed.length > 0) console.error("Make it smaller, or accept it with: npx -y pnpm@12 bench size --write");
if (failed.length > 0) process.exitCode = 1;
