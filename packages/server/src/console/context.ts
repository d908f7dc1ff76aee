import type { Database } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import type { Orders } from "./orders.ts";
import type { Steps } from "./steps.ts";
import type { Training } from "./training.ts";

/** What every question to the console's index works with. */
export interface ConsoleContext {
  /** The store's data, which is only read. */
  readonly data: Database;
  readonly index: Database;
  readonly steps: Steps;
  readonly orders: Orders;
  readonly training: Training;
}

/** A run by its two names: the index's number and the model's id. */
export interface RunKey {
  readonly key: number;
  readonly id: string;
}

/** The run of a model that is there; undefined for one that was deleted, or never was. */
export function findRun({ index, data }: ConsoleContext, id: string): RunKey | undefined {
  if (data.get("select 1 from models where id = :id", { id }) === undefined) return undefined;
  const row = index.get("select key from runs where id = :id", { id });
  // One that nobody has read yet has nothing in the index.
  return { id, key: row ? number(row, "key") : 0 };
}

/** A time as the documents have it. */
export function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** A column with a time. */
export function timeIn(row: Record<string, unknown>, column: string): string | null {
  return timeOf(numberOrNull(row, column));
}

/** A column that holds a JSON object which was written here. */
export function json(row: Record<string, unknown>, column: string): Record<string, unknown> {
  return JSON.parse(text(row, column)) as Record<string, unknown>;
}

/** A column that holds numbers by name. */
export function numbersIn(row: Record<string, unknown>, column: string): Record<string, number> {
  return JSON.parse(text(row, column)) as Record<string, number>;
}

/** A column that holds a list of numbers. */
export function listIn(row: Record<string, unknown>, column: string): number[] {
  return JSON.parse(text(row, column)) as number[];
}

/** Some items of a list. */
export interface ConsolePage<T> {
  readonly data: T[];
  readonly has_more: boolean;
}

/** Some items of a list that a filter lets through, and how many it lets through at all. */
export interface CountedPage<T> extends ConsolePage<T> {
  readonly total: number;
}
