import type { Commands } from "./commands/index.ts";

export type CommandName = keyof Commands;
export type Input<K extends CommandName> = Parameters<Commands[K]>[1];
export type Result<K extends CommandName> = ReturnType<Commands[K]>;

/** The settings that a thread of the store is started with. */
export interface ThreadData {
  readonly file: string;
  readonly readOnly: boolean;
  /** Whether to check the file before it is used, because the last server did not close it. */
  readonly check: boolean;
}

/** A command for a thread of the store. */
export interface Request {
  readonly name: CommandName;
  readonly input: unknown;
  /** Whose turn it takes; empty for the server itself. */
  readonly entity: string;
  /** The server's time, in milliseconds. */
  readonly now: number;
  /** Whether it writes nothing, and may take long. */
  readonly reads: boolean;
}

/**
 * What a thread of the store is asked. `close` closes the data after all earlier commands; a later command opens them again,
 * and data in memory are then empty.
 */
export type Question = Request | "close";
