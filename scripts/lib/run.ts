import { spawn, spawnSync, type ChildProcess } from "node:child_process";

const windows = process.platform === "win32";

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
}

/** Runs a command to its end and gives what it printed. Throws with all its output where it fails. */
export function run(command: string, args: readonly string[], { cwd, env }: RunOptions): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    shell: windows,
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`\`${command} ${args.join(" ")}\` ended with ${status}.\n${stdout}\n${stderr}`);
  return stdout;
}

/** Starts a command and resolves with it once a line of its output matches. */
export function started(
  command: string,
  args: readonly string[],
  { cwd, env }: RunOptions,
  line: RegExp,
): Promise<{ child: ChildProcess; match: RegExpMatchArray }> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = line.exec(output);
      if (match) resolve({ child, match });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`\`${command}\` ended with ${code} before it was ready.\n${output}`)),
    );
  });
}
