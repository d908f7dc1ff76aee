import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** One row as SQLite gives it. Read its columns with `text`, `integer` and their like. */
export type Row = Record<string, unknown>;

/** What a statement is given: by name (`:name` in the SQL). */
export type Params = Record<string, SQLInputValue>;

/** A connection that prepares each statement once. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param file a path, or `:memory:`
   * @param readOnly opens without the right to write: a second connection to a file that another one writes
   */
  constructor(file: string, readOnly = false) {
    this.#connection = new DatabaseSync(file, { readOnly, timeout: 10_000 });
    if (readOnly) return;
    // An acknowledged write must survive the loss of power: the log is flushed at every commit.
    this.#connection.exec(
      "pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma wal_autocheckpoint = 4000",
    );
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Runs a statement that changes rows, and tells how many. */
  run(sql: string, params: Params = {}): number {
    return Number(this.#prepare(sql).run(params).changes);
  }

  /** Runs a statement whose values are given by place (`?` in the SQL): faster, for rows by the hundred thousand. */
  insert(sql: string, values: readonly SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  get(sql: string, params: Params = {}): Row | undefined {
    return this.#prepare(sql).get(params);
  }

  all(sql: string, params: Params = {}): Row[] {
    return this.#prepare(sql).all(params);
  }

  /** Runs a statement whose text is not used again: it is not kept. */
  once(sql: string, params: Params = {}): Row[] {
    return this.#connection.prepare(sql).all(params);
  }

  /** All that `work` writes, or nothing of it. Must not be nested. */
  transaction<T>(work: () => T): T {
    this.exec("begin");
    try {
      const result = work();
      this.exec("commit");
      return result;
    } catch (error) {
      // A failed commit may have ended the transaction already.
      if (this.#connection.isTransaction) this.exec("rollback");
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
