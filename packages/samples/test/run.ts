import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface Outcome {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program in another process, because this process may serve it. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...environment },
  });
  const closed = once(child, "close");
  const [output, errors] = await Promise.all(
    [child.stdout, child.stderr].map(text),
  );
  const [status] = await closed;
  return { status, output: output ?? "", errors: errors ?? "" };
}

/** Whether a program is on this machine. */
export function available(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
