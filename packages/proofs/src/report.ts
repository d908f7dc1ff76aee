import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../.cache");

/** Stores a table of counts, and prints their sum in one line, which `pnpm test` repeats at its end. */
export function report(name: string, sentence: string, counts: ReadonlyMap<string, number>): void {
  mkdirSync(folder, { recursive: true });
  const rows = [...counts].map(([what, count]) => `| ${what.replaceAll("|", String.raw`\|`)} | ${count} |`);
  writeFileSync(join(folder, `${name}.md`), ["| what | requests |", "| --- | --- |", ...rows, ""].join("\n"));
  writeFileSync(join(folder, `${name}.told.txt`), `${sentence}\n`);
  console.log(`${sentence}\n${join(folder, `${name}.md`)}`);
}

/** The number of occurrences of each value. */
export function tally(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
