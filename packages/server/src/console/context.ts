import type { Database } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import type { Orders } from "./orders.ts";
import type { Steps } from "./steps.ts";
import type { Training } from "./training.ts";

/** What every question to the console's index needs. */
export interface ConsoleContext {
  /** The store's data, which are only read. */
  readonly data: Database;
  readonly index: Database;
  readonly steps: Steps;
  readonly orders: Orders;
  readonly training: Training;
}

/** A run: its number in the index, and the id of its model. */
export interface RunKey {
  readonly key: number;
  readonly id: string;
}

/** The run of a model; undefined if the model was deleted or never existed. */
export function findRun({ index, data }: ConsoleContext, id: string): RunKey | undefined {
  if (data.get("select 1 from models where id = :id", { id }) === undefined) return undefined;
  const row = index.get("select key from runs where id = :id", { id });
  // A run that is not read yet has no rows in the index.
  return { id, key: row ? number(row, "key") : 0 };
}

/** A time in the form of the documents. */
export function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** A column with a time. */
export function timeIn(row: Record<string, unknown>, column: string): string | null {
  return timeOf(numberOrNull(row, column));
}

/** A column with a JSON object that this program wrote. */
export function json(row: Record<string, unknown>, column: string): Record<string, unknown> {
  return JSON.parse(text(row, column)) as Record<string, unknown>;
}

/** A column with numbers by name. */
export function numbersIn(row: Record<string, unknown>, column: string): Record<string, number> {
  return JSON.parse(text(row, column)) as Record<string, number>;
}

/** A column with a list of numbers. */
export function listIn(row: Record<string, unknown>, column: string): number[] {
  return JSON.parse(text(row, column)) as number[];
}

/** Some items of a list. */
export interface ConsolePage<T> {
  readonly data: T[];
  readonly has_more: boolean;
}

/** Some of the items that match a filter, and the number of all items that match. */
export interface CountedPage<T> extends ConsolePage<T> {
  readonly total: number;
}
