import { spawn, type ChildProcessByStdio } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { depthOf } from "@trainyard/host";
import { linesOf, visible, type Line } from "@trainyard/terminal/lines";
import { LetRun, type Trainer, type TrainerLine, type TrainerRun } from "./protocol.ts";
import { endStrays } from "./strays.ts";
import { withLastLine } from "./trainer-log.ts";

/** A program that trains. */
export interface TrainerOptions {
  /** The program and its arguments. It runs without a shell. */
  readonly command: readonly [string, ...string[]];
  /** The working directory; the server's own by default. */
  readonly cwd?: string;
  /** How many jobs may run at the same time, each for a different model; 1 by default, 0 keeps jobs queued. */
  readonly jobs?: number;
  /**
   * Whether the work continues without the server, such as in the queue of a cluster; false by default. The trainer
   * then only follows the work, and the server starts it again for the same folder: see `TrainerJob.resume` and
   * `CancelTrainerJob`.
   */
  readonly resume?: boolean;
  /** Milliseconds between the request to exit (SIGTERM) and the forced exit (SIGKILL); 10,000 by default. */
  readonly graceMs?: number;
}

/** The largest number of bytes of a line on standard output, and what is kept of one on standard error. */
const [longestEvent, longestLogLine] = [2 ** 20, 2 ** 16];
/** As deep as a request may be. Deeper values cannot be passed between threads. */
const deepestEvent = 100;
const ownGroup = process.platform !== "win32";

/** A program as a trainer. */
export function trainerProgram(options: TrainerOptions): Trainer {
  return {
    jobs: options.jobs,
    resume: options.resume,
    check: () => {
      if (!isThere(options)) throw new Error(`The trainer ${options.command[0]} was not found.`);
    },
    run: (run) => runTrainer(options, run),
  };
}

/**
 * Runs the program for one job: the job as JSON on its standard input, its events as JSON Lines on its standard output.
 *
 * @throws Error if it cannot be started, writes anything else, or exits with a code other than 0
 */
async function* runTrainer(
  { command: [program, ...args], cwd, graceMs = 10_000, resume = false }: TrainerOptions,
  { input, signal, log, ended }: TrainerRun,
): AsyncGenerator<TrainerLine[]> {
  signal.throwIfAborted();
  const mark = crypto.randomUUID();
  // What a resumed trainer starts may work on without it.
  const endAll = async () => (resume ? undefined : endStrays(`TRAINER_RUN=${mark}`));
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...withoutSecrets(), TRAINER_RUN: mark },
    // A process group of its own, so that what the program started ends with it.
    detached: ownGroup,
    ...(cwd && { cwd }),
  });
  const exit = exitOf(child, program);
  let running = true;
  // Awaited below; until then its rejection must not count as unhandled.
  exit
    .then(ended)
    .finally(() => (running = false))
    .catch(() => undefined);
  const logging = (async () => {
    for await (const lines of linesOf(child.stderr, longestLogLine, true)) {
      for (const { text, more } of lines) await log.write(text, more);
    }
  })();
  let kill: NodeJS.Timeout | undefined;
  const killLater = () => {
    kill ??= setTimeout(() => {
      end(child, "SIGKILL");
      void endAll();
      // A process that left the group may hold the output open forever. Stop reading it.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }, graceMs);
  };
  const stop = () => {
    end(child, signal.reason instanceof LetRun ? "SIGHUP" : "SIGTERM");
    killLater();
  };
  signal.addEventListener("abort", stop, { once: true });
  // Processes that it leaves behind with its output must not keep the job from ending.
  child.once("exit", killLater);
  // A program that does not read its whole job closes its input. Its exit code decides.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  try {
    let number = 0;
    for await (const lines of linesOf(child.stdout, longestEvent, false)) {
      const events: TrainerLine[] = [];
      try {
        for (const line of lines) {
          number++;
          if (line.text.trim() !== "") events.push(readEvent(line, number));
        }
      } catch (error) {
        // What comes before an invalid line is stored.
        yield events;
        throw error;
      }
      yield events;
    }
    const [code] = await Promise.all([exit, logging]);
    signal.throwIfAborted();
    if (code !== 0) {
      throw new Error(withLastLine(`The trainer ended with ${code}`, log));
    }
  } finally {
    signal.removeEventListener("abort", stop);
    if (running) stop();
    // A program that is to end may have more to write.
    child.stdout.resume();
    await Promise.allSettled([exit, logging]);
    clearTimeout(kill);
    await endAll();
  }
}

/** Sends a signal to a program and its process group. */
function end(child: ChildProcessByStdio<Writable, Readable, Readable>, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (ownGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The group no longer exists.
  }
}

function readEvent({ text: line, more }: Line, count: number): TrainerLine {
  const where = `Line ${count} of the trainer's output`;
  const shown = () => `${quoted(line)}. An event is one JSON object a line; send everything else to standard error.`;
  if (more > 0) throw new Error(`${where} is longer than 1 MiB: ${shown()}`);
  if (depthOf(line) > deepestEvent) throw new Error(`${where} is nested deeper than ${deepestEvent} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    // Python's json.dumps writes these values, which no JSON parser accepts.
    const [, number] = /[[:,]\s*(NaN|-?Infinity)\s*[\],}]/.exec(line) ?? [];
    if (number !== undefined) {
      const cure = "Write null, or omit the field.";
      throw new Error(`${number} is not a JSON number (line ${count} of the trainer's output). ${cure}`, { cause });
    }
    throw new Error(`${where} is not JSON: ${shown()}`, { cause });
  }
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") {
    throw new Error(`${where} has no type. An event is {"type": …, "data": {…}}.`);
  }
  return { type: value.type, data: "data" in value ? value.data : {} };
}

/** The beginning of a line in quotes, with control characters made visible. */
function quoted(line: string): string {
  return visible(JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line));
}

function exitOf(child: ChildProcessByStdio<Writable, Readable, Readable>, program: string): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.on("error", (cause) => {
      reject(new Error(`The trainer ${program} could not be started: ${cause.message}`, { cause }));
    });
    child.on("close", (code, signal) => resolve(code ?? signal ?? "no code"));
  });
}

/** The environment without variables of ours, which may be keys of any service: a trainer calls none. */
function withoutSecrets(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TRAINYARD_")));
}

/** Whether the program of a trainer exists: at its path, or in PATH if it is a name alone. */
export function isThere({ command: [program], cwd = "." }: Pick<TrainerOptions, "command" | "cwd">): boolean {
  const { PATH = "", PATHEXT = "" } = process.env;
  const endings = process.platform === "win32" ? ["", ...PATHEXT.split(";")] : [""];
  const folders = /[\\/]/.test(program) ? [cwd] : PATH.split(delimiter);
  return folders.some((folder) => endings.some((ending) => existsSync(resolve(folder, program + ending))));
}
