import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";

/** A line without its end, or the beginning of one that is longer than the limit. */
export interface Line {
  readonly text: string;
  /** How many bytes of the line are left out. */
  readonly more: number;
}

const [feed, back] = [10, 13];
const blank: Line = { text: "", more: 0 };

/** Text for a terminal: control characters, line separators and marks of direction are shown as `\u001b`. */
export function visible(text: string): string {
  const marks = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
  return text.replaceAll(marks, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Splits bytes into lines, which end with `\n`, `\r` or both. It keeps at most one line, up to a limit. */
export class Lines {
  readonly #bytes: Buffer;
  readonly #cuts: boolean;
  #length = 0;
  #previous: number | undefined;

  /**
   * @param limit how many bytes of a line are kept
   * @param cuts whether a line above the limit comes at its end, with a note of how much is left out. Otherwise it comes
   *   as soon as it is known to be too long, and what follows counts as another line
   */
  constructor(limit: number, cuts: boolean) {
    this.#bytes = Buffer.alloc(limit);
    this.#cuts = cuts;
  }

  /** The lines that a part brings. */
  in(part: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = 0; at < part.length; at++) {
      const byte = part[at];
      if (byte === feed || byte === back) {
        if (at > from) this.#add(part.subarray(from, at));
        if (byte === back || this.#previous !== back) lines.push(this.#take());
        from = at + 1;
      }
      this.#previous = byte;
    }
    this.#add(part.subarray(from));
    return !this.#cuts && this.#length > this.#bytes.length ? [...lines, this.#take()] : lines;
  }

  /** The line that has no end yet; none if it is empty. Calling it clears the line. */
  rest(): Line[] {
    return this.#length === 0 ? [] : [this.#take()];
  }

  #add(bytes: Uint8Array): void {
    const end = Math.min(this.#length, this.#bytes.length);
    this.#bytes.set(bytes.subarray(0, this.#bytes.length - end), end);
    this.#length += bytes.length;
  }

  #take(): Line {
    if (this.#length === 0) return blank;
    const more = Math.max(0, this.#length - this.#bytes.length);
    const bytes = this.#bytes.subarray(0, this.#length - more);
    this.#length = 0;
    if (more === 0) return { text: bytes.toString(), more };
    // As of a stream: a character that the limit cuts is left out.
    const text = new TextDecoder().decode(bytes, { stream: true });
    return { text: this.#cuts ? `${text}… (${more} bytes more)` : text, more };
  }
}

/** The lines of a JSON Lines file of any size. Only `\n` ends one, because JSON permits U+2028 in a string. */
export async function* fileLines(file: string, signal?: AbortSignal): AsyncGenerator<string> {
  let rest = "";
  for await (const part of createReadStream(file, { encoding: "utf8", highWaterMark: 2 ** 20, signal })) {
    const lines = `${rest}${part}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** The lines of a stream, by its parts. It is read as fast as they are taken. A stream that is destroyed ends. */
export async function* linesOf(stream: Readable, limit: number, cuts: boolean): AsyncGenerator<Line[]> {
  const lines = new Lines(limit, cuts);
  try {
    for await (const part of stream.iterator({ destroyOnReturn: false })) yield lines.in(part);
  } catch (error) {
    if (!stream.destroyed) throw error;
  }
  yield lines.rest();
}
