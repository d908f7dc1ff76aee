import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { redocly, redoclyEnvironment, type Redocly, type Run } from "@trainyard/codegen/redocly";

/** What a worker is asked to run. */
export interface Job {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Redocly, kept warm in a process. */
export interface WarmRedocly {
  readonly run: Redocly;
  close(): void;
}

const worker = fileURLToPath(new URL("worker.ts", import.meta.url));
/** Each run leaves a little behind. */
const most = 200;
/** A run that does not end is given up: the save must not wait for ever. Milliseconds. */
const longest = 20_000;

/**
 * Keeps Redocly loaded, and runs one command after the other. What it cannot run there, it runs in a process of its own: the
 * answer is the same, and comes later.
 *
 * @param cold runs it in a process of its own
 */
export function warmRedocly(cold: Redocly = redocly): WarmRedocly {
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
    return new Promise((resolve) => {
      const end = (run?: Run): void => {
        clearTimeout(timer);
        running.off("message", answered).off("error", failed).off("exit", failed);
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

  return {
    run(args, cwd) {
      const run = before.then(async () => (await attempt({ args, cwd })) ?? cold(args, cwd));
      before = run.catch(() => undefined);
      return run;
    },
    close: stop,
  };
}

function isRun(message: unknown): message is Run {
  return typeof message === "object" && message !== null && "code" in message && "text" in message;
}
