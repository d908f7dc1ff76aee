import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isObject } from "@trainyard/core/validation";

/** What the owner of a data folder tells others about itself. */
export interface OwnerNote {
  readonly pid: number;
  /** Where its server listens. Absent while it does not. */
  readonly url?: string;
  /** Opens the control interface of that server. */
  readonly controlKey?: string;
}

/**
 * The right to a folder of data, held by one server at a time. It is a lock of the operating system on a file in the
 * folder, so that it ends with its process however that ends.
 */
export class Owner {
  readonly #lock: DatabaseSync;
  readonly #note: string;

  /**
   * @param what the folder is, for the message
   * @throws Error that names the owner where the folder is taken
   */
  constructor(folder: string, what = "data folder") {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#note = join(folder, "server.json");
    this.#lock = new DatabaseSync(join(folder, "owner.lock"), { timeout: 0 });
    try {
      this.#lock.exec("begin exclusive");
    } catch (cause) {
      this.#lock.close();
      const note = readOwnerNote(folder);
      const who = note === undefined ? "another server" : `process ${note.pid}${note.url ? ` at ${note.url}` : ""}`;
      throw new Error(`The ${what} ${folder} is in use by ${who}. Stop it, or choose another folder.`, { cause });
    }
    this.write({ pid: process.pid });
  }

  /** Tells others where the owner is. Readable to the user alone: the note holds a key. */
  write(note: OwnerNote): void {
    rmSync(this.#note, { force: true });
    writeFileSync(this.#note, JSON.stringify(note), { mode: 0o600 });
  }

  release(): void {
    rmSync(this.#note, { force: true });
    this.#lock.close();
  }
}

/** What the owner of a folder last told. It may be gone since: a killed process leaves its note. */
export function readOwnerNote(folder: string): OwnerNote | undefined {
  let note: unknown;
  try {
    note = JSON.parse(readFileSync(join(folder, "server.json"), "utf8"));
  } catch {
    return undefined;
  }
  if (!isObject(note) || typeof note["pid"] !== "number") return undefined;
  const { url, controlKey } = note;
  return {
    pid: note["pid"],
    ...(typeof url === "string" && { url }),
    ...(typeof controlKey === "string" && { controlKey }),
  };
}
