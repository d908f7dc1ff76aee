import { isObject, type JsonObject } from "@trainyard/core/validation";
import type { Database, Params, Row } from "./database.ts";

/** A column of text. Throws if the row holds something else, because then the SQL and its reader disagree. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw wrong(column, "text", value);
  return value;
}

/** A column of text, or null. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** A column with bytes. */
export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw wrong(column, "bytes", value);
  return value;
}

/** A column with a number. */
export function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "number") throw wrong(column, "a number", value);
  return value;
}

/** A column with a number, or null. */
export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}

/** The number that a statement finds in its only column, such as a count; 0 if it finds none. */
export function numberFrom(database: Database, sql: string, params?: Params): number {
  const row = database.get(sql, params) ?? {};
  const [column] = Object.keys(row);
  return column === undefined ? 0 : (numberOrNull(row, column) ?? 0);
}

/** A column that holds a JSON object. */
export function object(row: Row, column: string): JsonObject {
  const value: unknown = JSON.parse(text(row, column));
  if (!isObject(value)) throw wrong(column, "a JSON object", value);
  return value;
}

/** A column that holds a JSON array of strings. */
export function strings(row: Row, column: string): string[] {
  const value: unknown = JSON.parse(text(row, column));
  if (!Array.isArray(value)) throw wrong(column, "a JSON array", value);
  return value.map(String);
}

function wrong(column: string, wanted: string, value: unknown): TypeError {
  if (value === undefined)
    return new TypeError(`There is no column ${column}: add it in store/migrations.ts, or select it.`);
  return new TypeError(`The column ${column} holds ${typeof value}, not ${wanted}.`);
}
