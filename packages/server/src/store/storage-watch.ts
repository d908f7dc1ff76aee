import type { Notice } from "../options.ts";
import type { StorageFault } from "./storage-fault.ts";

/** The options of a watch. */
export interface StorageWatchOptions {
  /** Writes a row; rejects if that fails. */
  readonly check: () => Promise<unknown>;
  /** The name of the data file in notices. */
  readonly file: string;
  /** Receives a notice when the storage starts to fail, and one when it works again. */
  readonly notice: Notice;
  /** Is called when the storage works again. */
  readonly repaired: () => void;
}

/** Reports once that the storage fails, and once that it works again. */
export class StorageWatch {
  readonly #options: StorageWatchOptions;
  #reported: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: StorageWatchOptions) {
    this.#options = options;
  }

  failed({ fault }: StorageFault): void {
    if (this.#closed || this.#reported === fault) return;
    this.#reported = fault;
    const { file } = this.#options;
    const sentence = `${fault} Requests that need ${file} return 503 until this is repaired.`;
    this.#options.notice(sentence, { event: "storage.failed", file, fault });
    this.#timer ??= this.#later();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), 1000).unref();
  }

  async #look(): Promise<void> {
    const works = await this.#options.check().then(
      () => true,
      () => false,
    );
    if (this.#closed) return;
    this.#timer = works ? undefined : this.#later();
    if (!works) return;
    this.#reported = undefined;
    const { file } = this.#options;
    this.#options.notice(`${file} can be written again.`, { event: "storage.recovered", file });
    this.#options.repaired();
  }
}
