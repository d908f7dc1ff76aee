import type { Commands } from "./commands/index.ts";

/** The commands of a thread, by name. */
export type Table<C> = Readonly<Record<keyof C, (context: never, input: never) => unknown>>;

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

export interface Request<C = Commands> {
  readonly id: number;
  readonly name: keyof C;
  readonly input: unknown;
  /** The server's time, in milliseconds. */
  readonly now: number;
  /** Whether it writes nothing, and may take long. */
  readonly reads: boolean;
}

/** What is sent to a thread: requests, or null, which stops it. */
export type Message<C = Commands> = Request<C>[] | null;

/**
 * What is sent to a thread of the store. `empty` replaces a database in memory with an empty one, and is answered with no
 * replies.
 */
export type StoreMessage = Message | "empty";

/** The result of a command, why it was refused, or how it failed. */
export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: string }
  /** What is wrong with the storage. */
  | { readonly id: number; readonly storage: string }
  | { readonly id: number; readonly error: string };
