import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The name of a file in the data folder that only takes up space. */
export const reserveName = "reserve";
/** Enough for what the write-ahead log gets when a model is deleted; on a small disk, a twelfth of it. */
const most = 8 * 2 ** 20;

/**
 * The space that the server gives up on a full disk, so that deletions and the next start still work, and takes again
 * when there is space.
 */
export class Reserve {
  readonly #file: string;

  readonly #log: string;

  /** @param file the data file */
  constructor(file: string) {
    this.#file = join(dirname(file), reserveName);
    this.#log = `${file}-wal`;
  }

  /** Whether so little is free that the next larger write fails, although a small one may not. */
  get isShort(): boolean {
    const { free, bytes } = this.#disk();
    return free < bytes;
  }

  /** Whether the write-ahead log must be emptied now, because later its content would not fit into the data file. */
  get isTight(): boolean {
    const { free, bytes } = this.#disk();
    return free < bytes + (statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** How much of the disk is free, and how large the reserve is. */
  #disk(): { free: number; bytes: number } {
    const { bavail, blocks, bsize } = statfsSync(dirname(this.#file));
    return { free: bavail * bsize, bytes: Math.min(most, Math.floor((blocks * bsize) / 12)) };
  }

  /** Takes the space, if there is much more. */
  take(): void {
    if (existsSync(this.#file)) return;
    try {
      const { free, bytes } = this.#disk();
      if (free < 3 * bytes) return;
      // Not zeros, which some file systems do not store.
      writeFileSync(this.#file, randomBytes(bytes), { mode: 0o600 });
    } catch {
      this.give();
    }
  }

  /** Frees the space. False if it was free already. */
  give(): boolean {
    if (!existsSync(this.#file)) return false;
    rmSync(this.#file, { force: true });
    return true;
  }
}
