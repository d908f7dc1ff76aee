import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isObject } from "@trainyard/core/validation";
import { ownFile } from "./node-database.ts";
import { openingFault, resultCode } from "./storage-fault.ts";

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
    const file = join(folder, "owner.lock");
    ownFile(file);
    try {
      this.#lock = new DatabaseSync(file, { timeout: 0 });
    } catch (error) {
      throw openingFault(error, file);
    }
    try {
      this.#lock.exec("begin exclusive");
    } catch (cause) {
      this.#lock.close();
      if (resultCode(cause) !== busy) throw openingFault(cause, file);
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

/** Makes a folder that its owner alone may open: in it, trainers write files with the modes that they like. */
export function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

/** SQLite's result code for what another process has locked. */
const busy = 5;

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
