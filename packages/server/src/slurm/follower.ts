import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded, SlurmAway, stateOf, type SlurmState } from "./engine.ts";
import { GrowingFile, Lines } from "./growing-file.ts";
import { progressOf } from "./slurm-job.ts";
import type { ProgramEnd, WorkFolder } from "./work-folder.ts";

/** Where what a job writes is passed on to. */
export interface Listener {
  /** Is given each event that the server does not have yet. */
  event(line: string): Promise<void>;
  /** Is given what the program wrote to its standard error, and what Slurm says. */
  log(text: string | Buffer): void;
}

const lookMs = 250;
/** How often Slurm is asked: at first soon, then seldom. A cluster answers many. */
const askMs = { first: 250, last: 5000 };
/** How late a node's last note may come: network file systems keep what a folder lists for up to a minute. */
const noteMs = 60_000;

/** What became of a job: nothing wrong, or why it failed. */
export interface JobEnd {
  readonly failure?: string;
}

/** Follows a job in its folder and in Slurm's words, until it has ended. */
export class Follower {
  readonly #id: string;
  readonly #folder: WorkFolder;
  readonly #listener: Listener;
  readonly #events: GrowingFile;
  readonly #log: GrowingFile;
  readonly #eventLines = new Lines();
  readonly #logLines = new Lines();
  /** How many events the server has. */
  #known: number;
  #lastLine = "";
  #said = "";

  constructor(id: string, folder: WorkFolder, { known, listener }: { known: number; listener: Listener }) {
    this.#id = id;
    this.#folder = folder;
    this.#listener = listener;
    this.#known = known;
    this.#events = new GrowingFile(folder.events);
    this.#log = new GrowingFile(folder.log);
  }

  /** Resolves at its end; undefined where it was told to leave it before. */
  async follow(leave: AbortSignal): Promise<JobEnd | undefined> {
    let [ask, pause] = [Date.now(), askMs.first];
    let ended: { readonly state: SlurmState | undefined; readonly late: number } | undefined;
    while (!leave.aborted) {
      // Looked at first: what it wrote before its end is there then.
      const end = this.#folder.end;
      await this.#passOn();
      const isWhole = end !== undefined && this.#events.offset >= end.bytes;
      if (isWhole && end.code === 0) return this.#finish(undefined, end);
      if (ended !== undefined && (isWhole || Date.now() > ended.late)) return this.#finish(ended.state, end);
      if (ended === undefined && (isWhole || Date.now() >= ask)) {
        const state = await this.#ask();
        if (state !== "away" && (state === undefined || hasEnded(state))) {
          ended = { state, late: Date.now() + (tellsEnd(state) ? noteMs : 0) };
          continue;
        }
        if (state !== "away" && this.#tell(progressOf(this.#id, state))) pause = askMs.first;
        ask = Date.now() + pause;
        pause = Math.min(pause * 2, askMs.last);
      }
      await sleep(lookMs, undefined, { signal: leave }).catch(() => undefined);
    }
    return undefined;
  }

  async #finish(state: SlurmState | undefined, end: ProgramEnd | undefined): Promise<JobEnd> {
    await this.#passOn();
    const rest = this.#eventLines.rest();
    if (rest !== "") await this.#event(rest);
    this.#lineOfLog(this.#logLines.rest());
    return end?.code === 0 ? {} : { failure: failureOf(this.#id, state, end, this.#lastLine) };
  }

  async #ask(): Promise<SlurmState | "away" | undefined> {
    try {
      return await stateOf(this.#id);
    } catch (error) {
      if (!(error instanceof SlurmAway)) throw error;
      this.#tell(`the cluster does not answer, and is asked again: ${error.message}`);
      return "away";
    }
  }

  /** Passes on what came since the last time. */
  async #passOn(): Promise<void> {
    for await (const part of this.#events.news()) {
      for (const line of this.#eventLines.in(part)) await this.#event(line);
    }
    const told = this.#folder.told;
    for await (const part of this.#log.news()) {
      for (const line of this.#logLines.in(part)) this.#lineOfLog(line);
      // What a follower before this one passed on is read for its last line alone.
      const isNew = Math.min(part.length, this.#log.offset - told);
      if (isNew > 0) this.#listener.log(part.subarray(part.length - isNew));
    }
    if (this.#log.offset > told) this.#folder.told = this.#log.offset;
  }

  async #event(line: string): Promise<void> {
    if (line.trim() === "") return;
    if (this.#known > 0) this.#known--;
    else await this.#listener.event(line);
  }

  #lineOfLog(line: string): void {
    // What Slurm adds there is no word of the program.
    if (line.trim() !== "" && !/^(slurmstepd\S*|srun): /.test(line)) this.#lastLine = line.trim();
  }

  /** Says it if it is new. */
  #tell(sentence: string): boolean {
    if (sentence === this.#said) return false;
    this.#said = sentence;
    this.#listener.log(`${sentence}\n`);
    return true;
  }
}

/** Whether a program that ended so had the time to note its exit code. */
function tellsEnd(state: SlurmState | undefined): boolean {
  return state === undefined || state.state === "COMPLETED" || state.state === "FAILED";
}

const longestLine = 1000;

/** Why a job failed: Slurm's words, the exit code, and the last that the program said. */
function failureOf(id: string, state: SlurmState | undefined, end: ProgramEnd | undefined, lastLine: string): string {
  const code = end?.code ?? state?.code ?? 0;
  // What Slurm ended has the exit code of that.
  const own = tellsEnd(state) && [code !== 0 && `exit code ${code}`, state?.signal && `signal ${state.signal}`];
  const how = [state?.reason, ...(own || [])];
  const details = how.filter(Boolean).join(", ");
  const word = state === undefined ? "" : ` ${state.state}`;
  const sentence = `Slurm job ${id} ended${word}${details === "" ? "" : ` (${details})`}.`;
  const unseen =
    end === undefined && tellsEnd(state) && !state?.signal
      ? " Its program left no exit code in the job's folder: all nodes must see this folder at the same path, and may write there."
      : "";
  return `${sentence}${unseen}${lastLine === "" ? "" : ` ${lastLine.slice(-longestLine)}`}`;
}
