import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../.cache");

/** Prints what a test counted in one line, which `pnpm test` repeats at its end. */
export function report(name: string, sentence: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.told.txt`), `${sentence}\n`);
  console.log(sentence);
}
