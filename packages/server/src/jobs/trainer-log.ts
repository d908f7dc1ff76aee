import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";
import { exists, type AttemptName } from "./folders.ts";

/** A line that the trainer of a job wrote to its standard error. */
export interface TrainerLogLine extends AttemptName {
  readonly line: string;
}

const longestLastLine = 4096;

/** Writes what a trainer writes to its standard error to a file, and emits each line. */
export class TrainerLog {
  readonly file: string;
  readonly #attempt: AttemptName;
  readonly #onLine: (line: TrainerLogLine) => void;
  #stream: WriteStream | undefined;
  #rest = "";
  #last = "";

  constructor(file: string, { jobId, attempt }: AttemptName, onLine: (line: TrainerLogLine) => void) {
    this.file = file;
    this.#attempt = { jobId, attempt };
    this.#onLine = onLine;
  }

  /** Whether anything was written. The file is created by the first write, in this process or in an earlier one. */
  async isWritten(): Promise<boolean> {
    return this.#stream !== undefined || exists(this.file);
  }

  /** The last line that is not blank, cut to its end if it is very long; empty if there is none. */
  get lastLine(): string {
    return (this.#rest.trim() || this.#last.trim()).slice(-longestLastLine);
  }

  write(text: string): void {
    if (this.#stream === undefined) {
      mkdirSync(dirname(this.file), { recursive: true });
      // A resumed trainer continues in the same file. Losing lines of a log must not end the training that writes them.
      this.#stream = createWriteStream(this.file, { mode: 0o600, flags: "a" }).on("error", () => undefined);
    }
    this.#stream.write(text);
    const lines = (this.#rest + text).split(/\r?\n|\r/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#tellLine(line);
  }

  /** Emits the last line, even if it has no newline, and resolves once the file is written. */
  async end(): Promise<void> {
    this.#tellLine(this.#rest);
    this.#rest = "";
    const stream = this.#stream;
    if (stream !== undefined)
      await new Promise<void>((resolve) => stream.end(() => resolve()).on("error", () => resolve()));
  }

  #tellLine(line: string): void {
    if (line.trim() === "") return;
    this.#last = line;
    this.#onLine({ ...this.#attempt, line });
  }
}

/** Appends the last line that a program wrote to its standard error to a sentence, if there is one. */
export function withLastLine(sentence: string, { lastLine }: Pick<TrainerLog, "lastLine">): string {
  return lastLine === "" ? `${sentence}.` : `${sentence}: ${lastLine}`;
}
