import { open } from "node:fs/promises";

const chunkBytes = 2 ** 16;

/** A file that another machine may be writing. It is opened for each look: only then does a network file system say what is new. */
export class GrowingFile {
  /** How many bytes were read. */
  offset: number;
  readonly #path: string;

  constructor(path: string, offset = 0) {
    this.#path = path;
    this.offset = offset;
  }

  /** What came since the last look, in parts; nothing where there is no file. */
  async *news(): AsyncGenerator<Buffer> {
    const file = await open(this.#path).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    });
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      while (this.offset < size) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, this.offset);
        if (bytesRead === 0) return;
        this.offset += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }
}

/** Lines out of the parts of a file. */
export class Lines {
  #rest: Buffer[] = [];

  /** The lines that end in a part, without what ends them. */
  *in(part: Buffer): Generator<string> {
    let from = 0;
    for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10, from)) {
      this.#rest.push(part.subarray(from, end));
      from = end + 1;
      yield this.rest();
    }
    if (from < part.length) this.#rest.push(part.subarray(from));
  }

  /** What has no end yet. Afterwards it is gone. */
  rest(): string {
    const line = Buffer.concat(this.#rest).toString();
    this.#rest = [];
    return line;
  }
}
