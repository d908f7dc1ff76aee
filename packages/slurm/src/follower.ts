import { createReadStream, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Lines, type Line } from "@trainyard/terminal/lines";
import { SlurmAway, stateOf, type SlurmState } from "./engine.ts";
import type { ProgramEnd, WorkFolder } from "./work-folder.ts";

const longestLine = 1000;
const lookMs = 250;
/** How often Slurm is asked for the state: soon at first, then rarely, because a cluster serves many users. */
const askMs = { first: 250, last: 5000 };
/**
 * How late the exit code of a node may arrive: network file systems cache the listing of a folder for up to a minute.
 */
const noteMs = 60_000;
/**
 * How long Slurm may take to report the end of an allocation after that of its program: a preemption ends both. Later, the
 * allocation waits for another program.
 */
const keptMs = 3000;

/** Receives the events, and what the program wrote to its standard error. */
interface Listener {
  /** Whether training ends with this event. */
  event(line: string): Promise<boolean>;
  log(text: string | Buffer): Promise<void>;
}

/** Why a job failed; undefined if its program succeeded. */
export type JobEnd =
  | {
      /** What Slurm reports, as a sentence. */
      readonly how: string;
      /** What is known of the program. */
      readonly details: string;
      /** The state of a job that lost its node, through no fault of its program. */
      readonly lost: SlurmState | undefined;
    }
  | undefined;

/** The states of a job that the cluster ended for reasons of its own. */
const lost = /^(PREEMPTED|NODE_FAIL|BOOT_FAIL)$/;

/** A file that another machine may be writing, and how many of its bytes were read. */
interface GrowingFile {
  readonly path: string;
  offset: number;
}

/** Follows a job in its folder and in Slurm until it has ended. */
export class Follower {
  readonly #id: string;
  readonly #folder: WorkFolder;
  readonly #listener: Listener;
  readonly #events: GrowingFile;
  readonly #log: GrowingFile;
  /** The server rejects a line that is cut here, because it accepts a byte less. */
  readonly #eventLines = new Lines(2 ** 20 + 1, false);
  readonly #logLines = new Lines(longestLine, true);
  /** Whether the newest event ends training: nothing that Slurm reports later matters then. */
  #hasTrained = false;
  #lastLine = "";
  #message = "";
  /** Whether the Slurm job goes on after its program. */
  readonly #goesOn: boolean;

  constructor(id: string, folder: WorkFolder, listener: Listener, goesOn: boolean) {
    this.#id = id;
    this.#goesOn = goesOn;
    this.#folder = folder;
    this.#listener = listener;
    this.#events = { path: folder.file("events.jsonl"), offset: 0 };
    this.#log = { path: folder.file("log"), offset: 0 };
  }

  /** Resolves at the end of the job; `left` if `leave` is aborted before. */
  async follow(leave: AbortSignal): Promise<"left" | JobEnd> {
    let [ask, pause] = [Date.now(), askMs.first];
    let ended: { readonly state: SlurmState | undefined; readonly late: number } | undefined;
    let whole: number | undefined;
    while (!leave.aborted) {
      // Read the exit code first: everything that the program wrote before its end is then in the files.
      const end = this.#folder.end;
      await this.#passOn();
      const isWhole = end !== undefined && this.#events.offset >= end.bytes;
      if (isWhole && end.code === 0 && this.#hasTrained) return this.#finish(undefined, end);
      if (ended !== undefined && (isWhole || Date.now() > ended.late)) return this.#finish(ended.state, end);
      if (isWhole) whole ??= Date.now();
      if (this.#goesOn && whole !== undefined && Date.now() > whole + keptMs) return this.#finish(undefined, end);
      if (ended === undefined && (isWhole || Date.now() >= ask)) {
        const state = await this.#ask();
        if (state !== "away" && (state?.hasEnded ?? true)) {
          ended = { state, late: Date.now() + (couldWriteEnd(state) ? noteMs : 0) };
          continue;
        }
        if (typeof state === "object" && this.#logOnce(progressOf(this.#id, state))) pause = askMs.first;
        ask = Date.now() + pause;
        pause = Math.min(pause * 2, askMs.last);
      }
      await sleep(lookMs, undefined, { signal: leave }).catch(() => undefined);
    }
    return "left";
  }

  async #finish(state: SlurmState | undefined, end: ProgramEnd | undefined): Promise<JobEnd> {
    await this.#passOn();
    for (const line of this.#eventLines.rest()) await this.#event(line);
    for (const line of this.#logLines.rest()) this.#lineOfLog(line);
    // An allocation that was kept may end, also by its time limit, before a later program has had its own time.
    const isKept = this.#folder.read("kept") !== undefined;
    const isEarly = isKept && (state?.state === "TIMEOUT" || (end === undefined && state?.state !== "CANCELLED"));
    const isLost = state !== undefined && (isEarly || lost.test(state.state));
    // A program that is asked to end by a preemption may save its state and exit with 0.
    const isFailure = end?.code !== 0 || (isLost && !this.#hasTrained);
    return isFailure
      ? { ...failureOf(this.#id, state, end, this.#lastLine), lost: isLost ? state : undefined }
      : undefined;
  }

  async #ask(): Promise<SlurmState | "away" | undefined> {
    try {
      return await stateOf(this.#id);
    } catch (error) {
      if (!(error instanceof SlurmAway)) throw error;
      this.#logOnce(`the cluster does not respond; retrying: ${error.message}`);
      return "away";
    }
  }

  /** Passes on what was written since the last time. */
  async #passOn(): Promise<void> {
    for await (const part of newsOf(this.#events)) {
      for (const line of this.#eventLines.in(part)) await this.#event(line);
    }
    const known = Number(this.#folder.read("log-offset") ?? 0);
    for await (const part of newsOf(this.#log)) {
      for (const line of this.#logLines.in(part)) this.#lineOfLog(line);
      // Output that an earlier follower passed on is read only for its last line.
      const isNew = Math.min(part.length, this.#log.offset - known);
      if (isNew > 0) await this.#listener.log(part.subarray(part.length - isNew));
    }
    if (this.#log.offset <= known) return;
    try {
      this.#folder.write("log-offset", String(this.#log.offset));
    } catch {
      // On a full disk, the server may get lines of the log twice. That is no reason to end the training.
    }
  }

  async #event({ text }: Line): Promise<void> {
    if (text.trim() === "") return;
    this.#hasTrained = await this.#listener.event(text);
  }

  #lineOfLog({ text }: Line): void {
    // Lines that Slurm adds are not from the program.
    if (text.trim() !== "" && !/^(slurmstepd\S*|srun): /.test(text)) this.#lastLine = text.trim();
  }

  /** Logs a sentence unless it was the last one logged. */
  #logOnce(sentence: string): boolean {
    if (sentence === this.#message) return false;
    this.#message = sentence;
    void this.#listener.log(`${sentence}\n`);
    return true;
  }
}

/** What was added since the last read. The file is opened each time, because a network file system refreshes it only then. */
async function* newsOf(file: GrowingFile): AsyncGenerator<Buffer> {
  if (!existsSync(file.path)) return;
  for await (const part of createReadStream(file.path, { start: file.offset }) as AsyncIterable<Buffer>) {
    file.offset += part.length;
    yield part;
  }
}

/** Whether a program that ended in this state had the time to write its exit code. */
function couldWriteEnd(state: SlurmState | undefined): boolean {
  return state === undefined || state.state === "COMPLETED" || state.state === "FAILED";
}

/** The state of a job that has not ended, as a sentence for the log. */
function progressOf(id: string, { state, reason, nodes }: SlurmState): string {
  const job = `(Slurm job ${id})`;
  if (state === "PENDING") return `queued by the cluster${reason === undefined ? "" : `: ${reason}`} ${job}`;
  return state === "RUNNING" ? `running on ${nodes ?? "the cluster"} ${job}` : `${state} ${job}`;
}

/** Why a job failed: Slurm's state, the exit code, and the last line of the program. */
function failureOf(id: string, state: SlurmState | undefined, end: ProgramEnd | undefined, lastLine: string) {
  const code = end?.code ?? state?.code ?? 0;
  // A program that Slurm ended has the exit code of that signal.
  const own = couldWriteEnd(state) && [code !== 0 && `exit code ${code}`, state?.signal && `signal ${state.signal}`];
  const details = [state?.reason, ...(own || [])].filter(Boolean).join(", ");
  const how = [state?.state, details && `(${details})`].filter(Boolean).map((word) => ` ${word}`);
  const unseen =
    end === undefined && couldWriteEnd(state) && !state?.signal
      ? "Its program left no exit code in the job's folder: all nodes must see this folder at the same path and be able to write to it."
      : "";
  return { how: `Slurm job ${id} ended${how.join("")}.`, details: [unseen, lastLine].filter(Boolean).join(" ") };
}
