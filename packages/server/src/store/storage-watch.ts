import type { StorageFault } from "./storage-fault.ts";

/** How the storage is watched. */
export interface StorageWatchOptions {
  /** Writes a row; rejects where that fails. */
  readonly check: () => Promise<unknown>;
  /** The data file, for people. */
  readonly file: string;
  /** Is given a sentence when the storage begins to fail, and one when it works again. */
  readonly notice: (sentence: string) => void;
  /** Is called when the storage works again. */
  readonly repaired: () => void;
  /** Milliseconds between two tries while it fails; 1,000 by default. */
  readonly everyMs?: number;
}

/** Tells once that the storage fails, and once that it works again. */
export class StorageWatch {
  readonly #options: StorageWatchOptions;
  #told: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: StorageWatchOptions) {
    this.#options = options;
  }

  failed({ fault }: StorageFault): void {
    if (this.#closed || this.#told === fault) return;
    this.#told = fault;
    this.#options.notice(`${fault} Requests that need ${this.#options.file} return 503 until this is repaired.`);
    this.#timer ??= this.#later();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), this.#options.everyMs ?? 1000).unref();
  }

  async #look(): Promise<void> {
    const works = await this.#options.check().then(
      () => true,
      () => false,
    );
    if (this.#closed) return;
    this.#timer = works ? undefined : this.#later();
    if (!works) return;
    this.#told = undefined;
    this.#options.notice(`${this.#options.file} can be written again.`);
    this.#options.repaired();
  }
}
