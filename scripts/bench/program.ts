import { join } from "node:path";
import { run } from "@trainyard/release/run";

const folder = join(import.meta.dirname, "programs");

/** The file of a program of the benchmarks. */
export function fileOf(program: string): string {
  return join(folder, `${program}.ts`);
}

/** How Node runs one: on the packages' sources. */
export function commandOf(program: string, ...args: readonly string[]): string[] {
  return ["--conditions=@trainyard/source", fileOf(program), ...args];
}

/** Runs a program in a process of its own, and gives what it found: its last line, as JSON. */
export function outcome(program: string, ...args: readonly string[]): unknown {
  const output = run(process.execPath, commandOf(program, ...args), { cwd: folder });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}
