import { appendFile, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { exists, type AttemptName } from "./folders.ts";

/** A line that the trainer of a job wrote to its standard error. */
export interface TrainerLogLine extends AttemptName {
  readonly line: string;
}

/** The options of a trainer's log. */
export interface TrainerLogOptions {
  /** About how many bytes of the file are kept. */
  readonly limit: number;
  /** Receives the number of bytes that are missing in the file, each time that some are left out. */
  readonly onDropped: (bytes: number) => void;
  /** Receives each line that is not blank, up to 200 lines a second, and how many more there were. */
  readonly onLine: (line: TrainerLogLine) => void;
}

const longestLastLine = 4096;
const mostLinesPerSecond = 200;

/** Writes what a trainer writes to its standard error to a file, and emits each line. */
export class TrainerLog {
  readonly file: string;
  readonly #attempt: AttemptName;
  readonly #options: TrainerLogOptions;
  #last = "";
  #waiting = "";
  #writing: Promise<void> | undefined;
  /** The lines of this second, and what ends it. */
  #lines = 0;
  #second: NodeJS.Timeout | undefined;

  constructor(file: string, { jobId, attempt }: AttemptName, options: TrainerLogOptions) {
    this.file = file;
    this.#attempt = { jobId, attempt };
    this.#options = options;
  }

  /** Whether anything was written. The file is created by the first line, in this process or in an earlier one. */
  async isWritten(): Promise<boolean> {
    await this.#writing;
    return exists(this.file);
  }

  /** The last line that is not blank, cut to its end if it is very long; empty if there is none. */
  get lastLine(): string {
    return this.#last.trim().slice(-longestLastLine);
  }

  /**
   * Adds a line. Resolves when more may be added: a slow disk slows down the trainer.
   *
   * @param cut how many bytes of the line are missing
   */
  async write(line: string, cut = 0): Promise<void> {
    if (cut > 0) this.#options.onDropped(cut);
    if (line.trim() !== "") {
      this.#last = line;
      this.#second ??= setTimeout(() => this.#endSecond(), 1000);
      if (++this.#lines <= mostLinesPerSecond) this.#options.onLine({ ...this.#attempt, line });
    }
    this.#waiting += `${line}\n`;
    this.#writing ??= this.#write();
    if (this.#waiting.length > 2 ** 16) await this.#writing;
  }

  /** Resolves once the file is written. */
  async end(): Promise<void> {
    this.#endSecond();
    await this.#writing;
  }

  #endSecond(): void {
    clearTimeout(this.#second);
    const left = this.#lines - mostLinesPerSecond;
    [this.#second, this.#lines] = [undefined, 0];
    if (left <= 0) return;
    const line = `${left.toLocaleString("en")} ${left === 1 ? "line was" : "lines were"} left out; see trainer.log`;
    this.#options.onLine({ ...this.#attempt, line });
  }

  async #write(): Promise<void> {
    while (this.#waiting !== "") {
      const text = this.#waiting;
      this.#waiting = "";
      try {
        await mkdir(dirname(this.file), { recursive: true });
        // A resumed trainer continues in the same file.
        await appendFile(this.file, text, { mode: 0o600 });
        const { limit, onDropped } = this.#options;
        if ((await stat(this.file)).size > limit) onDropped(await shorten(this.file, limit));
      } catch {
        // Losing lines of a log must not end the training that writes them.
      }
    }
    this.#writing = undefined;
  }
}

const gap = /^\n… \((\d+) bytes are missing here\)\n/;

/**
 * Keeps the first half of a file's limit, the last quarter, and a line between them that says how much is missing. Returns how
 * many bytes were removed.
 */
async function shorten(path: string, limit: number): Promise<number> {
  const file = await open(path, "r+");
  try {
    const buffer = new Uint8Array(2 ** 16);
    const read = async (at: number) => buffer.subarray(0, (await file.read(buffer, 0, buffer.length, at)).bytesRead);
    let to = Math.floor(limit / 2);
    let from = (await file.stat()).size - Math.floor(limit / 4);
    const [earlier = "", missing = 0] = gap.exec(new TextDecoder().decode(await read(to))) ?? [];
    // The end begins with a whole line.
    from += (await read(from)).indexOf(10) + 1;
    const cut = from - to - new TextEncoder().encode(earlier).length;
    to += (await file.write(`\n… (${Number(missing) + cut} bytes are missing here)\n`, to)).bytesWritten;
    for (let part = await read(from); part.length > 0; part = await read(from)) {
      await file.write(part, 0, part.length, to);
      from += part.length;
      to += part.length;
    }
    await file.truncate(to);
    return cut;
  } finally {
    await file.close();
  }
}

/** Appends the last line that a program wrote to its standard error to a sentence, if there is one. */
export function withLastLine(sentence: string, { lastLine }: Pick<TrainerLog, "lastLine">): string {
  return lastLine === "" ? `${sentence}.` : `${sentence}: ${lastLine}`;
}
