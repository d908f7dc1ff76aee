import type { Call } from "./call.ts";
import type { Wanted } from "./examples.ts";
import type { PlannedAnswer } from "./planned-faults.ts";
import type { Refusal } from "./refusal.ts";

/** The result of an operation. A body is sent as JSON. */
export type Answer =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Server-sent events in wire framing, with status 200. */
  | { readonly stream: ReadableStream<Uint8Array> }
  | TextAnswer
  | NotModified
  | Refusal
  | ExampleAnswer
  | PlannedReply;

/** Text in a media type that the document declares, sent with status 200 as it is produced. */
export interface TextAnswer {
  readonly text: ReadableStream<Uint8Array>;
  readonly mediaType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** 304: the caller's cached copy is current. A feature of HTTP, which documents do not declare. */
export interface NotModified {
  readonly notModified: Readonly<Record<string, string>>;
}

/** An example response of the document. */
export interface ExampleAnswer {
  readonly example: Wanted;
}

/** A response in the form of a planned fault, for a request that is already validated. */
export interface PlannedReply {
  readonly planned: PlannedAnswer;
  /** The response, if the plan only changes how it is sent. */
  readonly otherwise: Answer;
}

/** Performs an operation. Its input has been validated against the document. */
export type Handler = (call: Call) => Answer | Promise<Answer>;

/** A handler that returns an example from the document, for operations that have no handler yet. */
export const byExample: unique symbol = Symbol("by example");

/** The handlers of a document by operation name. An operation without a handler returns an example. */
export type Handlers = Readonly<Record<string, Handler | typeof byExample>>;

/** Breaks the connection instead of responding. */
export class Disconnect extends Error {
  override readonly name = "Disconnect";
  /** The message and code that Node uses for a broken connection. */
  readonly code = "ECONNRESET";
}

/** A thread ended during a question: whether the question was handled is not known. */
export class ThreadEnd extends Error {
  override readonly name = "ThreadEnd";
  readonly thread: string;
  /** What the crash loses, if the thread does not start again. */
  readonly loses: string | undefined;

  constructor(thread: string, reason: string, { cause, loses }: { cause?: unknown; loses?: string | undefined } = {}) {
    super(`The thread "${thread}" has ended: ${reason}${loses === undefined ? "" : ` ${loses}`}`, { cause });
    this.thread = thread;
    this.loses = loses;
  }
}

/** Ends a stream with a refusal: its reader gets an event with an `error`, and the log gets the reason. */
export class StreamRefusal extends Error {
  override readonly name = "StreamRefusal";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.reason ?? refusal.message, { cause });
    this.refusal = refusal;
  }
}
