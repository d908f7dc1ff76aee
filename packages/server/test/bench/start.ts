import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { newFolder } from "./processes.ts";
import { atMost, median, ratioOf, type Row } from "./report.ts";

const command = join(import.meta.dirname, "../../../trainyard/dist/cli.js");

/** The milliseconds that Node takes for a program that ends. */
function timeOf(args: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}.`);
  return performance.now() - start;
}

/** A Node that does nothing. */
const nothing = ["--eval", "0"];

/** The built `trainyard serve`, from its start to the first response, with an empty folder, in turns with a Node that does nothing. */
export async function measureStart(): Promise<Row> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < 8; round++) {
    const start = performance.now();
    const child = spawn(process.execPath, [command, "serve", "--quiet", "--port", "0", "--data", newFolder()], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = await once(child.stdout, "data");
    const [url = ""] = /http:\S+/.exec(String(printed)) ?? [];
    await (await fetch(`${url}/v1/health`)).text();
    // The first start fills the cache of compiled code, which is stored when a program exits normally.
    if (round > 0) ours.push(performance.now() - start);
    child.kill();
    await once(child, "exit");
    if (round > 0) bare.push(timeOf(nothing));
  }
  return {
    what: "Start to first answer, against a bare Node",
    ours: `${median(ours).toFixed(0)} ms`,
    other: `${median(bare).toFixed(0)} ms`,
    // A time would be one of the machine: on 2026-11-27, an idle one took 518 ms and 30 ms.
    ...atMost(ratioOf(ours, bare), 20),
  };
}

/** The built `trainyard call --help`, compared with a Node that does nothing, in turns. */
export function measureCall(): Row {
  const rounds = Array.from({ length: 15 }, () => ({
    ours: timeOf([command, "call", "--help"]),
    bare: timeOf(nothing),
  }));
  const ours = rounds.map((round) => round.ours);
  const bare = rounds.map((round) => round.bare);
  return {
    what: "Start of `trainyard call --help`, against a bare Node",
    ours: `${median(ours).toFixed(0)} ms`,
    other: `${median(bare).toFixed(0)} ms`,
    ...atMost(ratioOf(ours, bare), 1.5),
  };
}
