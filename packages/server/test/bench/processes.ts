import { execFileSync, fork, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A server in its own process. */
export interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  /** The key of the control operations. Only the local server has one. */
  readonly control?: string;
}

const folders: string[] = [];
const children: ChildProcess[] = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is deleted when the benchmark ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-bench-"));
  folders.push(folder);
  return folder;
}

/** The built local server, on a folder. @param flags `--console` also serves the console */
export const startLocal = (folder: string, ...flags: "--console"[]): Promise<Running> =>
  start("child.ts", folder, ...flags);

/** The least program that stores a log, on a folder. */
export const startLimit = (folder: string): Promise<Running> => start("limit.ts", folder);

async function start(program: string, ...args: string[]): Promise<Running> {
  // Without the condition that loads packages from their sources.
  const child = fork(join(import.meta.dirname, program), args, {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  children.push(child);
  const addresses = await new Promise<Omit<Running, "child">>((resolve, reject) => {
    child.once("message", (message: Omit<Running, "child">) => resolve(message));
    child.once("exit", () => reject(new Error(`${program} did not start.`)));
  });
  return { child, ...addresses };
}

/** Prism as people run it, but silent, because its log would halve its speed. */
export async function startPrism(): Promise<Running> {
  const folder = newFolder();
  const wanted = ["--silent", "--no-audit", "--no-fund", "--prefix", folder, "@stoplight/prism-cli@5.14.2"];
  execFileSync("npm", ["install", ...wanted], { shell: process.platform === "win32" });
  const port = await freePort();
  const document = createRequire(import.meta.url).resolve("@trainyard/training/openapi.json");
  const program = join(folder, "node_modules/@stoplight/prism-cli/dist/index.js");
  const args = ["mock", "-p", String(port), "-v", "silent", "--errors=false", document];
  const child = fork(program, args, { stdio: "ignore", execArgv: [] });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/v1/health`).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await sleep(100);
  return { child, url };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** The resources of a process: memory in MiB, and processor time so far in milliseconds. */
export interface Usage {
  readonly memory: number;
  readonly processor: number;
}

/** Undefined if the system does not report it. */
export function usageOf({ child }: Running): Usage | undefined {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return { processor: (Number(fields[11]) + Number(fields[12])) * 10, memory: Number(fields[21]) / 256 };
  } catch {
    return undefined;
  }
}
