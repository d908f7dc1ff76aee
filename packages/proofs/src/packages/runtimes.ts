import { execFile, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { run } from "@trainyard/release/run";
import { install, withMock } from "@trainyard/release/program";
import { expect } from "vitest";
import { kinds } from "../faults/calls.ts";
import { apiKey, startFaultServer } from "../faults/fault-server.ts";
import { applies, blockedPort, faults, stalls } from "../faults/faults.ts";
import { program, runFolder } from "./program.ts";

/** A runtime that runs a file of the program. */
export interface Runtime {
  readonly title: string;
  /** Its package in the npm registry: `bun@1`. */
  readonly from: string;
  /** The possible paths of its program after installation. */
  readonly files: readonly string[];
  /** The arguments before the file to run. */
  readonly args: readonly string[];
}

const nodeOf = (version: number): Runtime => ({
  title: `Node ${version}`,
  from: `node@${version}`,
  files: ["node/bin/node", "node/bin/node.exe"],
  args: [],
});
const nodes = [20, 22, 24, 26].map(nodeOf);

/** Runtimes that run the program unchanged. */
export const runtimes: readonly Runtime[] = [
  ...nodes,
  { title: "Bun", from: "bun@1", files: ["bun/bin/bun.exe", "bun/bin/bun"], args: [] },
  {
    title: "Deno",
    from: "deno@2",
    files: ["@deno/*/deno", "@deno/*/deno.exe"],
    args: ["run", "--node-modules-dir=manual", "--no-remote", "--allow-net", "--allow-env", "--allow-read"],
  },
];

/** Skips a test, and says why. */
export type Skip = (why: string) => never;

/** Installs a runtime from the npm registry into its own folder. Skips the test if the registry has none for this machine. */
export function obtain({ title, from, files }: Pick<Runtime, "title" | "from" | "files">, skip: Skip): string {
  if (from === `node@${process.versions.node.split(".")[0]}`) return process.execPath;
  const folder = join(runFolder, "runtimes", from);
  const [name = "", version = ""] = from.split("@");
  try {
    install(folder, { dependencies: { [name]: version } });
  } catch {
    skip(`npm cannot install ${from} here.`);
  }
  const modules = join(folder, "node_modules");
  const [found] = files.flatMap((pattern) => globSync(pattern, { cwd: modules }));
  return join(modules, found ?? skip(`${from} has no ${title} for this machine.`));
}

/** Runs the five operations, each kind of call, and calls that are redirected to a file, against the packed mock. */
export async function callsOn(runtime: Runtime, command: string): Promise<void> {
  const work = ({ env }: { readonly env: Record<string, string> }): void => {
    const outputs = ["five-operations", "runtime"].map((file) => {
      const args = [...runtime.args, `out/${file}.js`];
      return run(command, args, { cwd: program, env: { ...env, DENO_NO_UPDATE_CHECK: "1" } });
    });
    const output = outputs.join("");
    if (!/^buckets \d+$/m.test(output) || !/^refused a redirect/m.test(output))
      throw new Error(`A program ended early. They printed:\n${output}`);
    console.log(outputs[1]?.trim());
  };
  // The mock needs Node.
  await withMock(program, work, nodes.includes(runtime) ? command : process.execPath);
}

/**
 * Plays each row of the fault table that needs no wait and no abort, one attempt per kind of call. The server is this
 * process, so that each runtime meets the same.
 */
export async function faultsOn(runtime: Runtime, command: string): Promise<void> {
  const server = await startFaultServer();
  try {
    const rows = faults
      .filter(({ stopAfter }) => stopAfter === undefined)
      .flatMap((fault) =>
        kinds
          // Following a job retries, whatever the client's options say.
          .filter((kind) => kind !== "follow" && applies(fault, kind))
          .map((kind) => ({ fault, kind })),
      );
    const played = await Promise.all(rows.map(({ fault, kind }) => server.stage(fault, kind)));
    const stages = played.map(({ fault, kind, baseUrl }) => ({
      kind,
      baseUrl: fault.play ? baseUrl : server.nowhere,
      timeoutMs: stalls(fault) ? 200 : 10_000,
      isReused: fault.isReused,
    }));
    const env = { ...process.env, FAULT_STAGES: JSON.stringify(stages), FAULT_KEY: apiKey, DENO_NO_UPDATE_CHECK: "1" };
    const { stdout } = await promisify(execFile)(command, [...runtime.args, "out/faults/program.js"], {
      cwd: program,
      env,
    });
    const outcomes: string[] = JSON.parse(stdout);
    expect(
      played.flatMap(({ fault: { title, outcomes: table, play }, kind, pauses }, index) => {
        let expected = table[kinds.indexOf(kind)]?.replace(/^\d |, wait .*/g, "").replace("wrong value", "value");
        if (title.startsWith(blockedPort) && runtime.title === "Bun")
          expected = expected?.replace("ConfigurationError", "ConnectionError");
        const found = outcomes[index] ?? "nothing";
        // What must not be repeated is not repeated by the runtime either.
        const isRepeated = found.endsWith("?") && play && pauses.length !== 1;
        return found === expected && !isRepeated
          ? []
          : [`${title}, ${kind}: ${found}, of ${pauses.length} requests, instead of ${String(expected)}`];
      }),
    ).toEqual([]);
    console.log(`${outcomes.length} faults, all as in the table`);
  } finally {
    await server.close();
  }
}

/** Versions of Node that are too old for the local server. */
export const oldNodes: readonly Runtime[] = nodes.slice(0, 2);

/** Checks that the local server's command prints its requirement on a Node that is too old. */
export function saysWhatItNeeds({ title }: Runtime, command: string): void {
  const cli = join(program, "node_modules/trainyard/dist/cli.js");
  const { stdout, stderr, status } = spawnSync(command, [cli, "serve"], { cwd: program, encoding: "utf8" });
  const says =
    stderr.startsWith("trainyard serve needs Node 24 or newer; this is") && stderr.trim().split("\n").length === 1;
  if (status !== 1 || !says) throw new Error(`On ${title} it ended with ${status}, and printed:\n${stdout}${stderr}`);
}
