// For programs whose `lib` does not have it. Where it does, both declarations are identical.
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** An answer with its response. */
export interface WithResponse<Data> {
  readonly data: Data;
  /** The response. Its body has been read, or is being read by the stream. */
  readonly response: Response;
  /** The header `x-request-id`. */
  readonly requestId: string | undefined;
}

/** The promise of an answer. The request is sent at once. Rejects with a {@link TrainyardError}. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** The same answer, together with its response. Does not send the request again. */
  withResponse(): Promise<WithResponse<Data>>;
}

/** One page of a list. Iterating over it yields its items and those of all later pages. */
export interface Page<Item> extends AsyncIterable<Item> {
  readonly data: Item[];
  /** Whether the service says that there are more pages. */
  readonly hasMore: boolean;
  /** The next page. `undefined` if this is the last one: it is empty, has no successor, or its cursor repeats. */
  nextPage(): Promise<Page<Item> | undefined>;
}

/** A list: the promise of its first page, and the sequence of all its items. */
export interface PagePromise<Item> extends ApiPromise<Page<Item>>, AsyncIterable<Item> {}

/**
 * A stream of events. It can be read once. `break` and `cancel` end the request. It throws {@link StreamError} if the
 * stream breaks or reports a failure, {@link TimeoutError} if no data arrives for too long, and {@link AbortError} if the
 * signal aborts.
 */
export interface EventStream<Item, Final> extends AsyncIterable<Item> {
  /** Reads the rest, and returns the whole answer, as if it had not been streamed. May be called again. */
  final(): Promise<Final>;
  /**
   * The answer as far as it has arrived: while you read, after `break`, and after an error. Properties may be missing.
   * `undefined` with `accumulate: false`.
   */
  partial(): Partially<Final> | undefined;
  /**
   * The stream as server-sent events, for the `Response` of a route: each event as JSON, then `[DONE]`. A failure becomes the
   * last event, `{"error": {"message"}}`, which names its kind only. If the reader leaves, the request ends. Throws at once if
   * the stream is being read.
   */
  toEventStream(): ReadableStream<Uint8Array>;
  /** Ends the request. Not needed if the stream was read to its end or left by `break`. */
  cancel(): Promise<void>;
  /** Ends the request at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The result of a call that can stream: a stream if `stream` is `true`, else the whole answer. */
export type Streamed<S, Item, Final> = S extends true ? EventStream<Item, Final> : Final;

/** A value whose properties may still be missing. */
export type Partially<Value> = Value extends readonly (infer Item)[]
  ? Partially<Item>[]
  : Value extends object
    ? { [Name in keyof Value]?: Partially<Value[Name]> | null | undefined }
    : Value;

/** Adds up the items of a stream. */
export interface Folding<Item, Final> {
  add(item: Item): void;
  /** The sum of the items so far. */
  partial(): Partially<Final>;
  /** The sum of all items. */
  value(): Final;
}

/** Starts a new fold. */
export type Fold<Item, Final> = () => Folding<Item, Final>;

/** A stream whose items are not combined into an answer. */
export interface ItemStream<Item> extends Omit<EventStream<Item, never>, "final" | "partial"> {}
