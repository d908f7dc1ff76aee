import { open } from "node:fs/promises";

const chunkBytes = 2 ** 16;

/**
 * A file that another machine may be writing. It is opened for each read, because a network file system refreshes its
 * content only then.
 */
export class GrowingFile {
  /** How many bytes were read so far. */
  offset: number;
  readonly #path: string;

  constructor(path: string, offset = 0) {
    this.#path = path;
    this.offset = offset;
  }

  /** What was added since the last read, in parts; nothing if the file does not exist. */
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
