import type { Database } from "../store/database.ts";
import { numberOrNull, text } from "../store/row.ts";

/** Whether a run exists: the model was neither deleted, nor never created. */
export function hasRun(database: Database, id: string): boolean {
  return database.get("select 1 from models where id = :id", { id }) !== undefined;
}

/** A time in the form of the documents. */
export function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** A column with a time. */
export function timeIn(row: Record<string, unknown>, column: string): string | null {
  return timeOf(numberOrNull(row, column));
}

/**
 * A column with JSON that this program wrote.
 *
 * @param none what a column without a value stands for
 */
export function json<T>(row: Record<string, unknown>, column: string, none?: T): T {
  return none !== undefined && row[column] === null ? none : (JSON.parse(text(row, column)) as T);
}

/** Null for what is no number: differences and squares of rewards near the largest number are infinite. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** What a page of a list is asked for, with the order and the size that it has if the caller names none. */
export type Asked<Q extends { sort?: string; limit?: number }> = Q &
  Required<Pick<Q, Extract<keyof Q, "sort" | "limit">>> & { readonly id: string };
