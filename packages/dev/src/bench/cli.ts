/**
 * `pnpm bench dev [rounds]`: the time from a save until the mocks return the change, and until an open reference shows
 * it. It uses a copy of the documents, and prints the load of the machine, which affects the result as much.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { findServices } from "@trainyard/codegen/generate";
import { startSession, type Turn } from "../session.ts";
import { queue } from "./queue.ts";

const repository = join(import.meta.dirname, "../../../..");
const rounds = Number(process.argv[2] ?? 5);
const files = ["training/schemas/TrajectoryGroup.yaml", "common/schemas/UserMessage.yaml"];

const root = mkdtempSync(join(tmpdir(), "trainyard-bench-dev-"));
try {
  cpSync(join(repository, "openapi"), join(root, "openapi"), { recursive: true });
  for (const service of findServices(root)) {
    mkdirSync(join(root, "packages", service), { recursive: true });
    writeFileSync(join(root, "packages", service, "package.json"), "{}");
  }
  console.log(`node ${process.version}, ${availableParallelism()} cores, load ${load()}`);
  const turns = queue<Turn>();
  const options = { port: 0, referencePort: 0, turned: turns.put, judged: () => undefined, shown: () => undefined };
  const session = await startSession(root, options);
  console.log(`${seconds((await turns.take()).ms)}  start`);
  const page = `${session.reference.url}/training/`;
  await (await fetch(page)).text();
  const saves = queue<number>();
  const looking = new AbortController();
  const events = await fetch(`${page}events`, { signal: looking.signal });
  void (async () => {
    for await (const _ of events.body ?? []) saves.put(performance.now());
  })().catch(() => undefined);
  for (const file of files) {
    const path = join(root, "openapi", file);
    const text = readFileSync(path, "utf8");
    const times: { mocks: number; reference: number }[] = [];
    for (let round = 1; round <= rounds; round++) {
      const start = performance.now();
      writeFileSync(path, text.replace("description: ", `description: Round ${round} of `));
      const { problems } = await turns.take();
      const mocks = performance.now() - start;
      if (problems.length > 0) throw new Error(`${file} was rejected: ${problems[0]?.message}`);
      await saves.take();
      const html = await (await fetch(page)).text();
      if (!html.includes(`Round ${round} of `))
        throw new Error(`The reference does not show round ${round} of ${file}.`);
      times.push({ mocks, reference: performance.now() - start });
    }
    const line = (which: "mocks" | "reference"): string =>
      `${seconds(median(times.map((time) => time[which])))}  ${which.padEnd(9)}  ${times.map((time) => seconds(time[which])).join(" ")}`;
    console.log(`\n${file}, load ${load()}\n${line("mocks")}\n${line("reference")}`);
  }
  looking.abort();
  await session.close();
} finally {
  rmSync(root, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** The load of the last minute. Above the number of cores, other processes took processor time. */
function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
