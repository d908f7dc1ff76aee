import type { PlannedAnswer } from "@trainyard/host";

/** A request that reached an operation, also one that was refused. */
export interface RecordedRequest<Name extends string = string> {
  readonly operation: Name;
  readonly method: string;
  /** The path of the service, without the base path. */
  readonly path: string;
  /** The parameters in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON that was sent; undefined when there was none, or when it was malformed or too large. */
  readonly body: unknown;
}

/** What a test can do with a mock. */
export interface Controls<Name extends string> {
  /**
   * Plans the answer to the next request of an operation. With `status`, `example` or `body` it replaces the answer, whatever
   * the request is; without them the operation answers as always, but later, with other headers or not to its end. Several
   * plans are used in order.
   * @throws Error for an operation that the service does not have
   */
  once(operation: Name, answer: PlannedAnswer): void;
  /** Lets each answer wait, until `reset`. */
  delay(ms: number): void;
  /** The requests so far, the last 1,000 at most, oldest first: of one operation, or all. */
  requests<N extends Name>(operation: N): RecordedRequest<N>[];
  requests(): RecordedRequest<Name>[];
  /** Forgets plans, delay and requests. */
  reset(): void;
}
