import { closeSync, fchmodSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { transact, type Database, type Params, type Row, type Value } from "./database.ts";

/** How many statements stay prepared: enough for all of this program's and some that depend on requests. */
const preparedLimit = 256;

/** How long a command waits for a lock of another process. */
const patienceMs = 10_000;

/** How many pages are released at a time: 512 KiB, of which the write-ahead log gets about a half. */
const piece = 64;

/** A database with Node's built-in SQLite. */
export class NodeDatabase implements Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param file a path, or `:memory:`
   * @param readOnly opens without write access: a second connection to a file that another one writes
   */
  constructor(file: string, readOnly = false) {
    if (!readOnly && file !== ":memory:") ownFile(file);
    this.#connection = new DatabaseSync(file, { readOnly, timeout: patienceMs });
    if (readOnly) return;
    try {
      // A confirmed write must survive a loss of power, so the log is flushed at every commit.
      this.#connection.exec(
        "pragma page_size = 8192; pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 67108864",
      );
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  run(sql: string, params: Params = {}): number {
    return Number(this.#prepare(sql).run(params).changes);
  }

  insert(sql: string, values: readonly Value[]): void {
    this.#prepare(sql).run(...values);
  }

  get(sql: string, params: Params = {}): Row | undefined {
    return this.#prepare(sql).get(params);
  }

  all(sql: string, params: Params = {}): Row[] {
    return this.#prepare(sql).all(params);
  }

  prepare(sql: string): (params: Params) => Row | undefined {
    const statement = this.#connection.prepare(sql);
    return (params) => statement.get(params);
  }

  once(sql: string, params: Params = {}): Row[] {
    return this.#connection.prepare(sql).all(params);
  }

  transaction<T>(work: () => T): T {
    return transact(this, () => this.#connection.isTransaction, work);
  }

  /**
   * Releases some of the unused pages to the disk. True while there are more.
   *
   * @param isTight whether the disk has little room for the write-ahead log
   */
  giveBack(isTight: boolean): boolean {
    const unused = () => Number(this.get("select freelist_count as free from pragma_freelist_count")?.["free"]);
    const before = unused();
    this.exec(`pragma incremental_vacuum(${piece})`);
    const after = unused();
    const hasMore = after > 0 && after < before;
    // Until the checkpoint, only the write-ahead log knows that the file is shorter.
    if (isTight || !hasMore) this.checkpoint();
    return hasMore;
  }

  /** Empties the write-ahead log into the file, if no reader needs it. */
  checkpoint(): void {
    this.exec(`pragma busy_timeout = 0; pragma wal_checkpoint(truncate); pragma busy_timeout = ${patienceMs}`);
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      // Drops the oldest. If it is still in use, it is prepared again, which is rare.
      const [oldest] = this.#statements.size < preparedLimit ? [] : this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Creates a file that only its owner can read. SQLite gives the files beside a database the mode of the database. */
export function ownFile(file: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(file, "a", 0o600);
    fchmodSync(handle, 0o600);
  } catch {
    // Without permission, opening the database reports the error.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
