import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";
import type { AttemptName } from "./folders.ts";

/** A line that the trainer of a job wrote to its standard error. */
export interface TrainerLogLine extends AttemptName {
  readonly line: string;
}

/** Keeps what a trainer writes to its standard error in a file, and tells each line. */
export class TrainerLog {
  readonly file: string;
  readonly #attempt: AttemptName;
  readonly #tell: (line: TrainerLogLine) => void;
  #stream: WriteStream | undefined;
  #rest = "";

  constructor(file: string, { jobId, attempt }: AttemptName, tell: (line: TrainerLogLine) => void) {
    this.file = file;
    this.#attempt = { jobId, attempt };
    this.#tell = tell;
  }

  /** Whether there is anything in the file. */
  get isWritten(): boolean {
    return this.#stream !== undefined;
  }

  write(text: string): void {
    if (this.#stream === undefined) {
      mkdirSync(dirname(this.file), { recursive: true });
      // Losing lines of a log must not end the training that writes them.
      this.#stream = createWriteStream(this.file, { mode: 0o600 }).on("error", () => undefined);
    }
    this.#stream.write(text);
    const lines = (this.#rest + text).split(/\r?\n|\r/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") this.#tell({ ...this.#attempt, line });
  }

  /** Tells the last line, if it was not ended, and resolves once the file is written. */
  async end(): Promise<void> {
    if (this.#rest.trim() !== "") this.#tell({ ...this.#attempt, line: this.#rest });
    this.#rest = "";
    const stream = this.#stream;
    if (stream !== undefined)
      await new Promise<void>((resolve) => stream.end(() => resolve()).on("error", () => resolve()));
  }
}
