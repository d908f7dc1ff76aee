import { closeSync, fchmodSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { transact, type Database, type Params, type Row, type Value } from "./database.ts";

/** How many statements stay prepared: more than this program has, and few of those that requests shape. */
const preparedLimit = 256;

/** How many pages are given back at a time: 4 MiB. */
const piece = 512;

/** SQLite as Node has it. */
export class NodeDatabase implements Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param file a path, or `:memory:`
   * @param readOnly opens without the right to write: a second connection to a file that another one writes
   */
  constructor(file: string, readOnly = false) {
    if (!readOnly && file !== ":memory:") ownFile(file);
    this.#connection = new DatabaseSync(file, { readOnly, timeout: 10_000 });
    if (readOnly) return;
    try {
      // An acknowledged write must survive the loss of power: the log is flushed at every commit.
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

  /** Gives back to the disk some of what holds nothing. True while there is more. */
  giveBack(): boolean {
    const unused = () => Number(this.get("select freelist_count as free from pragma_freelist_count")?.["free"]);
    const before = unused();
    this.exec(`pragma incremental_vacuum(${piece})`);
    const after = unused();
    if (after > 0 && after < before) return true;
    // Until then, it is the write-ahead log that says how short the file is.
    this.exec("pragma wal_checkpoint(passive)");
    return false;
  }

  inMemory(): NodeDatabase {
    return new NodeDatabase(":memory:");
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      // The oldest goes. One that is in use comes back, once in so many.
      const [oldest] = this.#statements.size < preparedLimit ? [] : this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Makes a file that its owner alone may read. SQLite gives what it writes beside a database the mode of the database. */
export function ownFile(file: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(file, "a", 0o600);
    fchmodSync(handle, 0o600);
  } catch {
    // Without the right to it, opening the database says what is wrong.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
