// For programs that compile without a library that has it. One that has it says the same.
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** An answer with what came around it. */
export interface WithResponse<Data> {
  readonly data: Data;
  /** The response. Its body has been read, or is being read by the stream. */
  readonly response: Response;
  /** The header `x-request-id`. */
  readonly requestId: string | undefined;
}

/** The promise of an answer. It is sent at once; it rejects with a {@link TrainyardError}. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** The same answer together with its response. Sends nothing again. */
  withResponse(): Promise<WithResponse<Data>>;
}

/** One page of a list. Iterating over it gives its items and those of all pages after it. */
export interface Page<Item> extends AsyncIterable<Item> {
  readonly data: Item[];
  /** Whether the service says that more follow. */
  readonly hasMore: boolean;
  /** The next page, or `undefined` where this is the last: it is empty, nothing follows, or its cursor repeats. */
  nextPage(): Promise<Page<Item> | undefined>;
}

/** A list: the promise of its first page, and the sequence of all its items. */
export interface PagePromise<Item> extends ApiPromise<Page<Item>>, AsyncIterable<Item> {}

/**
 * A stream of events, to be read once. Leaving the loop, or `cancel`, ends the request. It throws {@link StreamError}
 * where the stream breaks or says that it failed, {@link TimeoutError} on a silence that is too long, and
 * {@link AbortError} where its signal says so.
 */
export interface EventStream<Item, Final> extends AsyncIterable<Item> {
  /** Reads what is left, and gives the whole answer, as if it had not been streamed. May be called again. */
  final(): Promise<Final>;
  /**
   * What has come of the answer until now, at any moment: while it is read, and after it was left or broke. Its members may be
   * missing. `undefined` with `accumulate: false`.
   */
  partial(): Partially<Final> | undefined;
  /** Ends the request. Not needed where the stream was read to its end or left by `break`. */
  cancel(): Promise<void>;
  /** Ends the request, at the end of the block of `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a call that can stream gives: a stream where `stream` is `true`, the whole answer else. */
export type Streamed<S, Item, Final> = S extends true ? EventStream<Item, Final> : Final;

/** A value of which parts may be missing yet. */
export type Partially<Value> = Value extends readonly (infer Item)[]
  ? Partially<Item>[]
  : Value extends object
    ? { [Name in keyof Value]?: Partially<Value[Name]> | null | undefined }
    : Value;

/** Adds up the items of a stream. */
export interface Folding<Item, Final> {
  add(item: Item): void;
  /** The sum of what was added so far. */
  partial(): Partially<Final>;
  /** The sum, once all items were added. */
  value(): Final;
}

/** Starts to add up a stream. */
export type Fold<Item, Final> = () => Folding<Item, Final>;
