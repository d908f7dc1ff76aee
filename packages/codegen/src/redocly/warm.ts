import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { redocly, redoclyEnvironment, type Redocly, type Run } from "./command.ts";

/** A run for the worker. */
export interface Job {
  readonly args: readonly string[];
  readonly cwd: string;
}

const worker = fileURLToPath(new URL("worker.ts", import.meta.url));
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
    child ??= fork(worker, { env: redoclyEnvironment(), stdio: "ignore" });
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
