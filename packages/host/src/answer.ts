import type { Call } from "./call.ts";
import type { Wanted } from "./examples.ts";
import type { PlannedAnswer } from "./planned-faults.ts";
import type { Refusal } from "./refusal.ts";

/** What an operation answers. A body is written as JSON. */
export type Answer =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Server-sent events in wire framing, with status 200. */
  | { readonly stream: ReadableStream<Uint8Array> }
  | TextAnswer
  | NotModified
  | Refusal
  | ExampleAnswer
  | PlannedReply;

/** Text in a media type that the document declares, with status 200, as it is made. */
export interface TextAnswer {
  readonly text: ReadableStream<Uint8Array>;
  readonly mediaType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** 304: what the caller has from before is what it would get. It belongs to HTTP, and stands in no document. */
export interface NotModified {
  readonly notModified: Readonly<Record<string, string>>;
}

/** An answer that the document shows. */
export interface ExampleAnswer {
  readonly example: Wanted;
}

/** An answer in the language of planned faults, to a request that was judged. */
export interface PlannedReply {
  readonly planned: PlannedAnswer;
  /** The answer where the plan says only how it is sent. */
  readonly otherwise: Answer;
}

/** Performs an operation. The document has judged what it is given. */
export type Handler = (call: Call) => Answer | Promise<Answer>;

/** A handler that answers with an example of the document: of an operation that nobody has written yet. */
export const byExample: unique symbol = Symbol("by example");

/** The handlers of a document by the operations' names. One without a handler answers by example. */
export type Handlers = Readonly<Record<string, Handler | typeof byExample>>;

/** Breaks the connection instead of answering. */
export class Disconnect extends Error {
  override readonly name = "Disconnect";
  /** As Node has it for a connection that breaks. */
  readonly code = "ECONNRESET";
}
