/** Plays every fault against every client, and prints the table. `--write` writes it to TABLE.md instead. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adapters } from "./adapters/index.ts";
import { type Column, render } from "./render.ts";
import { run } from "./run.ts";

const root = join(import.meta.dirname, "../..");

function versionOf(name: string): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
  );
  return manifest.version;
}

let unhandled = 0;
process.on("unhandledRejection", () => unhandled++);

const columns: Column[] = [];
for (const adapter of adapters) {
  unhandled = 0;
  const cells = await run(adapter);
  columns.push({ name: adapter.name, version: versionOf(adapter.package), cells, unhandled });
}
const text = render(columns, process.version);
if (process.argv.includes("--write")) writeFileSync(join(import.meta.dirname, "TABLE.md"), text);
else process.stdout.write(text);
// A client that hangs may keep the process alive.
process.exit();
