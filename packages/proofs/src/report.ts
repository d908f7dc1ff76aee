import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "@trainyard/host/table";

const folder = join(import.meta.dirname, "../.cache");

/** Stores a table of counts, and prints their sum in one line, which `pnpm test` repeats at its end. */
export function report(name: string, sentence: string, counts: ReadonlyMap<string, number>): void {
  mkdirSync(folder, { recursive: true });
  const rows = [...counts].map(([what, count]) => [what.replaceAll("|", String.raw`\|`), String(count)]);
  writeFileSync(join(folder, `${name}.md`), `${markdownTable([["what", "requests"], ...rows])}\n`);
  writeFileSync(join(folder, `${name}.told.txt`), `${sentence}\n`);
  console.log(`${sentence}\n${join(folder, `${name}.md`)}`);
}
