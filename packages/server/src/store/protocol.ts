import type { Commands } from "./commands/index.ts";

export type CommandName = keyof Commands;
export type Input<K extends CommandName> = Parameters<Commands[K]>[1];
export type Result<K extends CommandName> = ReturnType<Commands[K]>;

/** What a thread of the store is started with. */
export interface ThreadData {
  readonly file: string;
  readonly readOnly: boolean;
}

export interface Request {
  readonly id: number;
  readonly name: CommandName;
  readonly input: unknown;
  /** The server's time, in milliseconds. */
  readonly now: number;
  /** Whether it writes nothing, and may take long. */
  readonly reads: boolean;
}

/** What is sent to a thread of the store: requests, or null, which asks it to end. */
export type Message = Request[] | null;

/** What a command gave, why it was refused, or how it failed. */
export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: string }
  | { readonly id: number; readonly error: string };
