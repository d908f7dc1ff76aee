import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

/** The outcome of a library's call. */
export interface Outcome {
  readonly server: "server" | "mock" | "proxy";
  readonly service: string;
  readonly library: string;
  readonly name: string;
  /** The error; null if there is none. */
  readonly fault: string | null;
  readonly sent: readonly object[];
}

/** Runs a program that prints outcomes as lines of JSON, while this process serves it. */
export async function outcomesOf(command: string, args: readonly string[], targets: object): Promise<Outcome[]> {
  const env = { ...process.env, TARGETS: JSON.stringify(targets) };
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 2 ** 28 });
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line): Outcome => JSON.parse(line));
}

/** A Python that has `openai`; undefined if there is none. */
export function pythonWithOpenai(): string | undefined {
  const { PYTHON } = process.env;
  const names = [PYTHON, "python3", "python"].filter((name) => name !== undefined);
  return names.find((name) => spawnSync(name, ["-c", "import openai, pydantic"]).status === 0);
}
