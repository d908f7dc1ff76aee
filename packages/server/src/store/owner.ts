import { chmodSync, existsSync, mkdirSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isObject } from "@trainyard/core/validation";
import { ownFile } from "./node-database.ts";
import { reserveName } from "./reserve.ts";
import { openingFault, resultCode } from "./storage-fault.ts";

/** What the owner of a data folder publishes about itself. */
export interface OwnerNote {
  readonly pid: number;
  /** The address that its server listens on. Absent while it does not listen. */
  readonly url?: string;
  /** The key of the control interface of that server. */
  readonly controlKey?: string;
  /** The address of its console, with the code that opens it. */
  readonly console?: string;
  /** The key file that it reads, and the folder of its checkpoints. */
  readonly keys?: string;
  readonly checkpoints?: string;
}

/**
 * The lock of a data folder, held by one server at a time. It is a lock of the operating system on a file in the
 * folder, so it ends with its process, however that ends.
 */
export class Owner {
  readonly #lock: DatabaseSync;
  readonly #note: string;

  /**
   * @param what the kind of folder, for the message
   * @throws Error that names the owner if the folder is in use
   */
  constructor(folder: string, what = "data folder") {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#note = join(folder, "server.json");
    const file = join(folder, "owner.lock");
    ownFile(file);
    try {
      try {
        this.#lock = lockOf(file);
      } catch (error) {
        if (![corrupt, notDatabase].includes(resultCode(error) ?? 0)) throw error;
        // The lock has no content to lose, and nobody holds a lock that can be read and is damaged.
        truncateSync(file);
        this.#lock = lockOf(file);
      }
    } catch (cause) {
      if (resultCode(cause) !== busy) throw openingFault(cause, file);
      const note = readOwnerNote(folder);
      const who = note === undefined ? "another server" : `process ${note.pid}${note.url ? ` at ${note.url}` : ""}`;
      throw new Error(`The ${what} ${folder} is in use by ${who}. Stop it, or choose another folder.`, { cause });
    }
    // A full disk must not keep a server from starting. The store makes a new reserve.
    remove(join(folder, reserveName));
    this.write({ pid: process.pid });
  }

  /** Publishes the owner's note. Only the user can read it, because it contains a key. */
  write(note: OwnerNote): void {
    remove(this.#note);
    writeFileSync(this.#note, JSON.stringify(note), { mode: 0o600 });
  }

  release(): void {
    remove(this.#note);
    this.#lock.close();
  }
}

/** Deletes a file. On a read-only file system, the error of `rmSync` has no code that could be explained. */
function remove(file: string): void {
  if (existsSync(file)) unlinkSync(file);
}

/** Whether a process holds the lock of a folder. */
export function isInUse(folder: string): boolean {
  const file = join(folder, "owner.lock");
  if (!existsSync(file)) return false;
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("begin exclusive");
    return false;
  } catch (error) {
    return resultCode(error) === busy;
  } finally {
    lock?.close();
  }
}

/** Creates a folder that only its owner can open: trainers write files in it with any mode. */
export function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

/** Locks a file. */
function lockOf(file: string): DatabaseSync {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    // Without a journal file, which a full disk could not hold.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** SQLite's result codes for a lock that another process holds, and for a damaged file. */
const [busy, corrupt, notDatabase] = [5, 11, 26];

/** The last note of a folder's owner. The owner may have exited since: a killed process leaves its note. */
export function readOwnerNote(folder: string): OwnerNote | undefined {
  let note: unknown;
  try {
    note = JSON.parse(readFileSync(join(folder, "server.json"), "utf8"));
  } catch {
    return undefined;
  }
  if (!isObject(note) || typeof note["pid"] !== "number") return undefined;
  const { url, controlKey, keys, checkpoints } = note;
  return {
    pid: note["pid"],
    ...(typeof url === "string" && { url }),
    ...(typeof controlKey === "string" && { controlKey }),
    ...(typeof keys === "string" && { keys }),
    ...(typeof checkpoints === "string" && { checkpoints }),
  };
}
