/**
 * `pnpm bench`: the budgets, as ratios in the same run. `--only <part>` measures one part. `--write` writes the tables of all
 * parts to `packages/proofs/src/bench/RESULTS.md`. It fails if a bar is not met.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { root } from "@trainyard/release/workspace";
import { calls } from "./calls.ts";
import { largeDocument } from "./document.ts";
import { growth } from "./growth.ts";
import { type Findings, type Section, tableOf, verdict } from "./report.ts";
import { streams } from "./streams.ts";

const results = join(import.meta.dirname, "RESULTS.md");

/** A part that fails does not prevent the others. */
async function measured(title: string, measure: () => Findings | Promise<Findings>): Promise<Section> {
  try {
    return { title, ...(await measure()) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return {
      title,
      how: "It failed before the first measurement.",
      rows: [{ what: title, measured: "failed", bar: "none" }],
    };
  }
}

const parts: Readonly<Record<string, () => Findings | Promise<Findings>>> = {
  "CPU a call": calls,
  "Parsing a stream": streams,
  "Growth with the document": growth,
  "A client of a large document": largeDocument,
};
/** `--only growth`: the parts with the word in their title. */
const { write, only } = readArguments({
  options: { write: { type: "boolean", default: false }, only: { type: "string", default: "" } },
}).values;
const chosen = Object.entries(parts).filter(([title]) => title.toLowerCase().includes(only.toLowerCase()));
if (chosen.length === 0 || (write && only !== "")) {
  console.error(
    chosen.length === 0
      ? `No part is called "${only}". The parts are: ${Object.keys(parts).join(", ")}.`
      : "--write needs all parts: leave out --only.",
  );
  process.exit(2);
}
const when = circumstances();
console.log(when);
const sections: Section[] = [];
for (const [title, measure] of chosen) {
  const section = await measured(title, measure);
  sections.push(section);
  console.log(`\n${section.title}\n${section.how}\n\n${tableOf(section)}`);
}
console.log(`\n${verdict(sections)}`);
if (sections.some(({ rows }) => rows.some(({ bar, met }) => bar !== undefined && met !== true))) process.exitCode = 1;

if (write) {
  const texts = sections.map((section) => `## ${section.title}\n\n${section.how}\n\n${tableOf(section)}\n`);
  const head = `# Benchmarks\n\nWritten by \`pnpm bench --write\`. Ratios are medians; the middle half of the rounds stands beside them.\n\n${when}\n\n${verdict(sections)}\n`;
  writeFileSync(results, `${head}\n${texts.join("\n")}`);
  console.log("\nWritten to packages/proofs/src/bench/RESULTS.md.");
}

/** What was measured, on which machine, and when. */
function circumstances(): string {
  const versions = ["@trainyard/inference", "openai", "openapi-fetch"].map((name) => {
    const file = join(root, "packages/proofs/node_modules", name, "package.json");
    const { version }: { version: string } = JSON.parse(readFileSync(file, "utf8"));
    return `${name} ${version}`;
  });
  const load = loadavg()[0] ?? 0;
  // Ratios are less sensitive to other work on the machine than times, but readers of either should know about it.
  const busy =
    load > 1 ? ` The load was ${load.toFixed(1)} at the start: other work was on the machine, or had just ended.` : "";
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? "?"}`;
  return `${new Date().toISOString().slice(0, 10)}. Node ${process.versions.node}, ${machine}. ${versions.join(", ")}.${busy}`;
}
