/**
 * `pnpm bench server`: the local server, as it is built, against the least program that keeps a log (`limit.ts`), the memory of
 * Prism, and the same SQL by hand; ratios in one run. It fails if a bar is not met.
 *
 *     --only start|log|chats|pages|statistics   one part
 *     --rows 10000000                     statistics up to so many rows; a million without it
 *     --write                             keeps the table in RESULTS.md beside this file
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { measureChats } from "./chats.ts";
import { measureLog } from "./log.ts";
import { measurePages } from "./pages.ts";
import { tableOf, type Row } from "./report.ts";
import { measureCall, measureStart } from "./start.ts";
import { measureStatistics } from "./statistics.ts";

const { values } = readArguments({
  options: {
    only: { type: "string" },
    rows: { type: "string", default: "1000000" },
    write: { type: "boolean", default: false },
  },
});
const counts = [1e4, 1e5, 1e6, 1e7].filter((count) => count <= Number(values.rows));
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  start: async () => [await measureStart(), measureCall()],
  log: measureLog,
  chats: async () => [await measureChats()],
  pages: async () => [await measurePages()],
  statistics: async () => {
    const rows: Row[] = [];
    for (const count of counts) rows.push(await measureStatistics(count));
    return rows;
  },
};
if (values.only !== undefined && !Object.hasOwn(parts, values.only)) {
  throw new Error(`There is no part "${values.only}". There are: ${Object.keys(parts).join(", ")}.`);
}

const root = join(import.meta.dirname, "../../../..");
const build = ["run", "build", "--filter=trainyard...", "--output-logs=errors-only", "--ui=stream"];
execFileSync("turbo", build, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });

const load = loadavg()[0] ?? 0;
const busy =
  load > 1 ? ` The load was ${load.toFixed(1)} at the start: other work was on the machine, or had just ended.` : "";
const processor = cpus()[0]?.model.trim() ?? "an unknown processor";
const date = new Date().toISOString().slice(0, 10);
const when = `${date}. Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${processor}.${busy}`;
console.log(when);

const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (values.only !== undefined && name !== values.only) continue;
  const measured = await measure();
  rows.push(...measured);
  console.log(`\n${tableOf(measured)}`);
}
const missed = rows.filter(({ met }) => met === false).length;
const verdict = `${rows.filter(({ met }) => met).length} bars met, ${missed} not met.`;
console.log(`\n${verdict}`);
if (values.write) {
  const how = [
    "# Benchmarks of the local server",
    `Written by \`pnpm bench server --rows ${values.rows} --write\`.`,
    when,
    verdict,
    "Log: 16 connections that stay open, in turns of a second for the local server, the limit program and Prism 5.14.2; bytes are written to sockets, so that who asks costs little. The local server validates a request, calculates its metrics and answers when the log is on disk. The limit program (`limit.ts`) is node:http, JSON.parse, the built validator, the metrics, and every row that the server writes, by the same functions, with one commit for the requests of a turn, as the server does, in one thread. Prism validates it and answers with an example. Ratios are medians of the rounds'.",
    "Statistics: 47 buckets and the window, mean, min, max and p95, through the port on one connection; by hand, the same statements in one thread without a server.",
    tableOf(rows),
  ];
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${how.join("\n\n")}\n`);
}
process.exit(missed > 0 ? 1 : 0);
