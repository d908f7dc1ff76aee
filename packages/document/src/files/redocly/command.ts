import { fork, spawn, type ChildProcess } from "node:child_process";
import module, { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** The output and the result of Redocly's command. */
export interface Run {
  readonly code: number | null;
  readonly text: string;
}

/** An argument of `lint`, which otherwise shows and counts the first 100 problems alone. */
export const allProblems = "--max-problems=1000000000";

/** Runs Redocly's command in a folder. */
export type Redocly = (args: readonly string[], cwd: string) => Promise<Run>;

/** The environment of the command: no colors, no requests to the network, the cache of compiled code that we have. */
const env: NodeJS.ProcessEnv = {
  ...process.env,
  // Node 20 has no such cache.
  ...("getCompileCacheDir" in module && { NODE_COMPILE_CACHE: module.getCompileCacheDir() }),
  NO_COLOR: "1",
  FORCE_COLOR: "0",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};

/** Runs Redocly's command in a new process. Only documents of several files need it, so it may not be installed. */
export function redocly(args: readonly string[], cwd: string): Promise<Run> {
  const command = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const child = spawn(process.execPath, [command, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((done, fail) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.once("error", fail);
    child.once("close", (code) => done({ code, text }));
  });
}

/** A run for the worker. */
export interface Job {
  readonly args: readonly string[];
  readonly cwd: string;
}

const worker = fileURLToPath(new URL(`worker${extname(import.meta.url)}`, import.meta.url));
/** Each run leaks a little memory. */
const most = 200;
/**
 * Milliseconds before a run is abandoned. Generous, because a large document on a busy machine takes far longer than usual,
 * and should not be processed twice.
 */
const longest = 120_000;

/**
 * Keeps Redocly loaded in a process, and runs one command after the other: the second run takes a quarter of the time. If a
 * command cannot run there, it runs in a new process: the result is the same, but later. The process ends with ours, and
 * does not keep ours alive.
 *
 * @param cold runs a command in a new process
 */
export function warmRedocly(cold: Redocly = redocly): Redocly {
  let child: ChildProcess | undefined;
  let runs = 0;
  let before: Promise<unknown> = Promise.resolve();

  function stop(): void {
    child?.kill();
    child = undefined;
    runs = 0;
  }

  function attempt(job: Job): Promise<Run | undefined> {
    if (runs++ >= most) stop();
    child ??= fork(worker, { env, stdio: "ignore" });
    const running = child;
    running.ref();
    running.channel?.ref();
    return new Promise((resolve) => {
      const end = (run?: Run): void => {
        clearTimeout(timer);
        running.off("message", answered).off("error", failed).off("exit", failed);
        running.unref();
        running.channel?.unref();
        resolve(run);
      };
      const answered = (message: unknown): void => end(isRun(message) ? message : undefined);
      const failed = (): void => {
        running.kill();
        if (child === running) stop();
        end();
      };
      const timer = setTimeout(failed, longest);
      running.on("message", answered).once("error", failed).once("exit", failed);
      running.send(job);
    });
  }

  return (args, cwd) => {
    const run = before.then(async () => (await attempt({ args, cwd })) ?? cold(args, cwd));
    before = run.catch(() => undefined);
    return run;
  };
}

function isRun(message: unknown): message is Run {
  return typeof message === "object" && message !== null && "code" in message && "text" in message;
}
