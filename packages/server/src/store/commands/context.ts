import type { Database } from "../database.ts";

/** What every command needs. */
export interface Context {
  readonly database: Database;
  /** The server's time, in milliseconds. */
  readonly now: number;
}
