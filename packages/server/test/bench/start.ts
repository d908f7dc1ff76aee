import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { newFolder, startLocal } from "./processes.ts";
import { atMost, median, ratioOf, type Row } from "./report.ts";

/** From nothing to the first answer, with an empty folder. */
export async function measureStart(): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    const { child, url } = await startLocal(newFolder());
    await (await fetch(`${url}/v1/health`)).text();
    times.push(performance.now() - start);
    child.kill();
  }
  const time = median(times);
  return {
    what: "Start to first answer, against half a second",
    ours: `${time.toFixed(0)} ms`,
    ...atMost(time / 500, 1),
  };
}

/** `trainyard call --help` as it is built, against a Node that does nothing; in turns. */
export function measureCall(): Row {
  const command = join(import.meta.dirname, "../../dist/cli.js");
  const time = (args: readonly string[]): number => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
    if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}.`);
    return performance.now() - start;
  };
  const rounds = Array.from({ length: 15 }, () => ({
    ours: time([command, "call", "--help"]),
    bare: time(["--eval", "0"]),
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
