import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The name of a file in the data folder that only takes up space. */
export const reserveName = "reserve";
/** Enough for what the write-ahead log gets when a model is deleted. */
const reserveBytes = 2 ** 20;

/**
 * The space that the server gives up on a full disk, so that deletions and the next start still work, and takes again
 * when there is space.
 */
export class Reserve {
  readonly #file: string;

  /** @param file the data file */
  constructor(file: string) {
    this.#file = join(dirname(file), reserveName);
  }

  /** Takes the space, if there is much more. */
  take(): void {
    if (existsSync(this.#file)) return;
    try {
      const { bavail, bsize } = statfsSync(dirname(this.#file));
      if (bavail * bsize < 4 * reserveBytes) return;
      // Not zeros, which some file systems do not store.
      writeFileSync(this.#file, randomBytes(reserveBytes), { mode: 0o600 });
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
