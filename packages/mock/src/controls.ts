/** An answer that a test plans. What is left out comes from the document. */
export interface PlannedAnswer {
  /** Any status, also one that the document does not declare. The document's success by default. */
  readonly status?: number;
  /** The named example of the document that is the body. */
  readonly example?: string;
  /** The body: a string goes out as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds for the header `Retry-After`. */
  readonly retryAfter?: number;
  /** Milliseconds until the answer, beside those of `delay`. */
  readonly delayMs?: number;
  /** No answer: the connection breaks. */
  readonly disconnect?: true;
}

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
  /** The JSON that was sent; undefined when there was none, or when it was malformed. */
  readonly body: unknown;
}

/** What a test can do with a mock. */
export interface Controls<Name extends string> {
  /**
   * Plans the answer to the next request of an operation, whatever that request is. Several plans are used in order.
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

/** What tests have told a service, and what it tells them. */
export class Plans {
  #names: ReadonlySet<string>;
  #planned = new Map<string, PlannedAnswer[]>();
  #requests: RecordedRequest[] = [];
  /** Milliseconds that each answer waits. */
  delayMs = 0;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  plan(operation: string, answer: PlannedAnswer): void {
    this.#check(operation);
    this.#planned.set(operation, [...(this.#planned.get(operation) ?? []), answer]);
  }

  take(operation: string): PlannedAnswer | undefined {
    return this.#planned.get(operation)?.shift();
  }

  record(request: RecordedRequest): void {
    this.#requests.push(request);
    if (this.#requests.length > 1000) this.#requests.shift();
  }

  recorded(operation?: string): RecordedRequest[] {
    if (operation === undefined) return [...this.#requests];
    this.#check(operation);
    return this.#requests.filter((request) => request.operation === operation);
  }

  reset(): void {
    this.#planned.clear();
    this.#requests = [];
    this.delayMs = 0;
  }

  #check(operation: string): void {
    if (this.#names.has(operation)) return;
    throw new Error(`There is no operation "${operation}". There are: ${[...this.#names].join(", ")}.`);
  }
}
