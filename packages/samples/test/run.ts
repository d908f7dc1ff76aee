import { spawn, spawnSync } from "node:child_process";

export interface Outcome {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program in another process, because this process may serve it. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...environment },
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, output, errors }));
  });
}

/** Whether a program is on this machine. */
export function available(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
