import sqlite3InitModule, {
  type BindableValue,
  type BindingSpec,
  type Database as Connection,
  type PreparedStatement,
  type Sqlite3Static,
} from "@sqlite.org/sqlite-wasm";
import { transact, type Database, type Params, type Row, type Value } from "@trainyard/server/page";
import { percentile } from "./percentile.ts";

/** Starts SQLite from its compiled code. */
export async function loadSqlite(wasmBinary: ArrayBuffer): Promise<Sqlite3Static> {
  // An option that its types lack: the code itself, so that nothing else is downloaded.
  const init: (options: { readonly wasmBinary: ArrayBuffer }) => Promise<Sqlite3Static> = sqlite3InitModule;
  return init({ wasmBinary });
}

/** SQLite compiled to WebAssembly, in memory. */
export class WasmDatabase implements Database {
  readonly #sqlite3: Sqlite3Static;
  readonly #connection: Connection;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(sqlite3: Sqlite3Static) {
    this.#sqlite3 = sqlite3;
    this.#connection = new sqlite3.oo1.DB(":memory:");
    this.#connection.exec("pragma foreign_keys = on");
    percentile(sqlite3, this.#connection);
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  run(sql: string, params: Params = {}): number {
    this.#step(this.#prepare(sql), named(params));
    return this.#connection.changes();
  }

  insert(sql: string, values: readonly Value[]): void {
    this.#step(this.#prepare(sql), values.map(bindable));
  }

  get(sql: string, params: Params = {}): Row | undefined {
    return this.#step(this.#prepare(sql), named(params), 1)[0];
  }

  all(sql: string, params: Params = {}): Row[] {
    return this.#step(this.#prepare(sql), named(params));
  }

  prepare(sql: string): (params: Params) => Row | undefined {
    // Only its owner frees a statement here, so it is freed after each use.
    return (params) => this.once(sql, params)[0];
  }

  once(sql: string, params: Params = {}): Row[] {
    const statement = this.#connection.prepare(sql);
    try {
      return this.#step(statement, named(params));
    } finally {
      statement.finalize();
    }
  }

  transaction<T>(work: () => T): T {
    return transact(this, () => this.#sqlite3.capi.sqlite3_get_autocommit(this.#connection) === 0, work);
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.#connection.close();
  }

  #prepare(sql: string): PreparedStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** The rows of a statement, or the first of them. */
  #step(statement: PreparedStatement, values: BindingSpec, most = Infinity): Row[] {
    try {
      // This SQLite fails if there is nothing to bind.
      if (statement.parameterCount > 0) statement.bind(values);
      const rows: Row[] = [];
      let columns: string[] | undefined;
      while (rows.length < most && statement.step()) {
        columns ??= statement.getColumnNames();
        rows.push(Object.fromEntries(columns.map((column, index) => [column, statement.get(index)])));
      }
      return rows;
    } finally {
      statement.reset(true);
    }
  }
}

/** Values by the parameter names in the SQL: `:name`. */
function named(params: Params): Record<string, BindableValue> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [`:${name}`, bindable(value)]));
}

/** Bytes in the type that this SQLite accepts. */
function bindable(value: Value): BindableValue {
  if (!ArrayBuffer.isView(value)) return value;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}
