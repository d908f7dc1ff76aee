import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";

/** Page sizes that SQLite has. */
const isPageSize = (size: number) => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
const [headerBytes, frameHeaderBytes, ourPageBytes] = [32, 24, 8192];

/**
 * The frames of a write-ahead log, as its last server left it: how many there are, and how many of them SQLite recovers.
 * It recovers up to the last commit before the first frame that is damaged. Undefined if no frame is damaged, because what
 * is not committed was never confirmed.
 *
 * @see https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
export function damagedFrames(file: string): { readonly recovered: number; readonly all: number } | undefined {
  if (!existsSync(file)) return undefined;
  const handle = openSync(file, "r");
  try {
    const header = Buffer.alloc(headerBytes);
    if (readSync(handle, header, 0, headerBytes, 0) < headerBytes) return undefined;
    const given = header.readUInt32BE(8);
    const pageBytes = isPageSize(given) ? given : ourPageBytes;
    const sum = new Checksum((header.readUInt32BE(0) & 1) === 1);
    sum.add(header, 0, 24);
    let isWhole = sum.equals(header, 24);
    const frame = Buffer.alloc(frameHeaderBytes + pageBytes);
    let [recovered, all] = [0, 0];
    const count = Math.floor((fstatSync(handle).size - headerBytes) / frame.length);
    for (let index = 0; index < count; index++) {
      readSync(handle, frame, 0, frame.length, headerBytes + index * frame.length);
      // Older frames, which the log has not overwritten yet, have two other salts.
      const salts = new Set([8, 12].map((at) => frame.readUInt32BE(at) === header.readUInt32BE(at + 8)));
      if (!salts.has(true)) break;
      all = index + 1;
      sum.add(frame, 0, 8);
      sum.add(frame, frameHeaderBytes, frame.length);
      isWhole &&= !salts.has(false) && sum.equals(frame, 16);
      if (isWhole && frame.readUInt32BE(4) > 0) recovered = all;
    }
    return isWhole || all === 0 ? undefined : { recovered, all };
  } finally {
    closeSync(handle);
  }
}

/** The sum over all words so far. */
class Checksum {
  readonly #isBig: boolean;
  #one = 0;
  #two = 0;

  constructor(isBig: boolean) {
    this.#isBig = isBig;
  }

  add(bytes: Buffer, from: number, to: number): void {
    const word = (at: number) => (this.#isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
    for (let at = from; at < to; at += 8) {
      this.#one = (this.#one + word(at) + this.#two) >>> 0;
      this.#two = (this.#two + word(at + 4) + this.#one) >>> 0;
    }
  }

  equals(bytes: Buffer, at: number): boolean {
    return this.#one === bytes.readUInt32BE(at) && this.#two === bytes.readUInt32BE(at + 4);
  }
}
