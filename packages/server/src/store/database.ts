/** One row as SQLite gives it. Read its columns with `text`, `number` and their like. */
export type Row = Record<string, unknown>;

/** What a statement may be given. */
export type Value = null | number | bigint | string | NodeJS.ArrayBufferView;

/** What a statement is given: by name (`:name` in the SQL). */
export type Params = Record<string, Value>;

/** A connection to SQLite that prepares each statement once, whoever brings the SQLite. */
export interface Database {
  exec(sql: string): void;
  /** Runs a statement that changes rows, and tells how many. */
  run(sql: string, params?: Params): number;
  /** Runs a statement whose values are given by place (`?` in the SQL): faster, for rows by the hundred thousand. */
  insert(sql: string, values: readonly Value[]): void;
  /** The first row that a statement gives. */
  get(sql: string, params?: Params): Row | undefined;
  all(sql: string, params?: Params): Row[];
  /**
   * Prepares a statement that a request shapes: it is not kept, so that it goes with the request. What is kept for a while
   * and then given up stays until V8 next collects all of its memory, which may be never.
   */
  prepare(sql: string): (params: Params) => Row | undefined;
  /** Runs a statement whose text is not used again: it is not kept. */
  once(sql: string, params?: Params): Row[];
  /** All that `work` writes, or nothing of it. Must not be nested. */
  transaction<T>(work: () => T): T;
  /** An empty database in memory, of the same SQLite. */
  inMemory(): Database;
  close(): void;
}

/**
 * Does work in a transaction: all that it writes, or nothing of it.
 *
 * @param isOpen whether the connection still has one: a commit that fails may have ended it
 */
export function transact<T>(database: Pick<Database, "exec">, isOpen: () => boolean, work: () => T): T {
  database.exec("begin");
  try {
    const result = work();
    database.exec("commit");
    return result;
  } catch (error) {
    if (isOpen()) database.exec("rollback");
    throw error;
  }
}
