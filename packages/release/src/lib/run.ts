import { spawn, spawnSync, type ChildProcess } from "node:child_process";

const windows = process.platform === "win32";

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
}

/** Runs a command to its end, and returns its output. Throws an error with the output if it fails. */
export function run(command: string, args: readonly string[], { cwd, env }: RunOptions): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    shell: windows,
    maxBuffer: 1 << 28,
  });
  if (error) throw "code" in error && error.code === "ENOENT" ? new Error(missing(command), { cause: error }) : error;
  if (status !== 0) throw new Error(`\`${command} ${args.join(" ")}\` ended with ${status}.\n${stdout}\n${stderr}`);
  return stdout;
}

function missing(command: string): string {
  const cure =
    "Those of this repository are there in what `npx -y pnpm@12 <script>` starts; others are to be installed.";
  return `There is no command \`${command}\` in PATH. ${cure}`;
}

/** Starts a command, and resolves once a line of its output matches. It ends with this process at the latest. */
export function started(
  command: string,
  args: readonly string[],
  { cwd, env }: RunOptions,
  line: RegExp,
): Promise<{ child: ChildProcess; match: RegExpMatchArray }> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  endWithThis(child);
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

function endWithThis(child: ChildProcess): void {
  const kill = (): void => void child.kill();
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}
