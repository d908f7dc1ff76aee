import { join } from "node:path";
import { run } from "@trainyard/release/run";

const folder = join(import.meta.dirname, "programs");

/** The file of a benchmark program. */
export function fileOf(program: string): string {
  return join(folder, `${program}.ts`);
}

/** Node's arguments, to run on the packages' sources. */
export function commandOf(program: string, ...args: readonly string[]): string[] {
  return ["--conditions=@trainyard/source", fileOf(program), ...args];
}

/** Runs a program in a separate process, and returns its last line of output, parsed as JSON. */
export function outcome(program: string, ...args: readonly string[]): unknown {
  const output = run(process.execPath, commandOf(program, ...args), { cwd: folder });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}
