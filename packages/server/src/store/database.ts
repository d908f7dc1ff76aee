/** One row as SQLite returns it. Read its columns with `text`, `number` and similar functions. */
export type Row = Record<string, unknown>;

/** A value of a statement's parameter. */
export type Value = null | number | bigint | string | NodeJS.ArrayBufferView;

/** The parameters of a statement, by name (`:name` in the SQL). */
export type Params = Record<string, Value>;

/** A connection to SQLite that prepares each statement once, independent of the SQLite that is used. */
export interface Database {
  exec(sql: string): void;
  /** Runs a statement that changes rows, and returns how many. */
  run(sql: string, params?: Params): number;
  /** Runs a statement with parameters by position (`?` in the SQL). It is faster for hundreds of thousands of rows. */
  insert(sql: string, values: readonly Value[]): void;
  /** The first row of the result. */
  get(sql: string, params?: Params): Row | undefined;
  all(sql: string, params?: Params): Row[];
  /**
   * Prepares a statement whose text depends on a request. It is not cached, so that it is freed with the request: a
   * statement that is cached and dropped later may never be collected by V8.
   */
  prepare(sql: string): (params: Params) => Row | undefined;
  /** Runs a statement whose text is not used again, without caching it. */
  once(sql: string, params?: Params): Row[];
  /** Runs `work` in a transaction: all of its writes take effect, or none. Must not be nested. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Runs work in a transaction: all of its writes take effect, or none.
 *
 * @param isOpen whether a transaction is still open: a commit that fails may have ended it
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
