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
  /** Ends the request. Not needed where the stream was read to its end or left by `break`. */
  cancel(): Promise<void>;
}

/** What a call that can stream gives: a stream where `stream` is `true`, the whole answer else. */
export type Streamed<S, Item, Final> = S extends true ? EventStream<Item, Final> : Final;

/** Adds up the items of a stream. */
export interface Folding<Item, Final> {
  add(item: Item): void;
  /** The sum, once all items were added. */
  value(): Final;
}

/** Starts to add up a stream. */
export type Fold<Item, Final> = () => Folding<Item, Final>;
