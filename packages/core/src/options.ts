import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { entriesOf } from "./headers.ts";
import type { Logger, LogLevel } from "./logger.ts";
import type { Middleware } from "./middleware.ts";
import type { Validators, Validate } from "./validate.ts";

/** A key or token, or a function that gives it, asked at each attempt. */
export type Secret = string | (() => string | Promise<string>);

/** A request as `fetch` gets it, with what `fetchOptions` adds. */
export interface FetchInit {
  method: string;
  headers: { [name: string]: string };
  body: string | null;
  redirect: "error" | "follow" | "manual";
  signal: AbortSignal;
}

/** What the engine needs of a response: that of any `fetch` has it. */
export interface FetchedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null; has(name: string): boolean };
  readonly body: object | null;
  text(): Promise<string>;
}

/** What sends a request: the global `fetch`, that of the package `undici`, or any other of this form. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;

/** Headers by name. `null` removes one that would be sent otherwise. */
export type HeaderValues = { readonly [name: string]: string | null | undefined };

/** What `extraQuery` takes. An array repeats its name. */
export type QueryValue = string | number | boolean | null | undefined;

/** The options that every client takes. */
export interface ClientOptions {
  /** The address of the service. Default: the environment variable `TRAINYARD_<SERVICE>_URL`. */
  baseUrl?: string | undefined;
  /**
   * The API key, or a function that gives it: asked at each attempt, and once more after a 401. `null` sends none, for a
   * proxy that adds it. Default: the environment variable `TRAINYARD_API_KEY`.
   */
  apiKey?: Secret | null | undefined;
  /** Browsers show a key to whoever opens the page, so a key there must be allowed by name. Default false. */
  allowKeyInBrowser?: boolean | undefined;
  /**
   * Milliseconds for one attempt: connecting, headers and body. Of a stream, for its headers, and then for each silence.
   * Default: what the contract gives the operation.
   */
  timeoutMs?: number | undefined;
  /** How often a call is sent again after a failure that allows it. Default 2. */
  maxRetries?: number | undefined;
  /** Headers that go with every request. */
  headers?: HeaderValues | undefined;
  /** What sends. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Passed on to `fetch` with each request as it is: `{ dispatcher }` of undici, `{ cache }`, `{ credentials }`. */
  fetchOptions?: object | undefined;
  /** Functions around each attempt, the first outermost. */
  middleware?: readonly Middleware[] | undefined;
  /** Where the log goes. Default `console`. */
  logger?: Logger | undefined;
  /** How much is logged. Default `warn` where a `logger` is given, else `off`. */
  logLevel?: LogLevel | undefined;
  /** The module `/validators` of the client, or those of it that you use. */
  validators?: Validators | undefined;
  /** What the `validators` check. Default `both`. */
  validate?: Validate | undefined;
  /** Whether requests name this client, its contract and its runtime. Never in browsers. Default true. */
  identity?: boolean | undefined;
}

/** The options that every call takes. */
export interface CallOptions {
  /** Ends the call with an {@link AbortError}, also while it waits to be sent again or streams. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. Default: the client's. */
  timeoutMs?: number | undefined;
  /** Milliseconds for the whole call: all attempts, the waits between them, and the reading of a stream. Default: no limit. */
  totalTimeoutMs?: number | undefined;
  /** How often the call is sent again after a failure that allows it. Default: the client's. */
  maxRetries?: number | undefined;
  /** Headers of this call, over the client's. */
  headers?: HeaderValues | undefined;
  /** Members for the body that the contract does not declare. */
  extraBody?: { readonly [name: string]: unknown } | undefined;
  /** Query parameters that the contract does not declare. */
  extraQuery?: { readonly [name: string]: QueryValue | readonly QueryValue[] } | undefined;
  /** Passed on to `fetch` with each request of this call, over the client's. */
  fetchOptions?: object | undefined;
  /** Functions around each attempt, inside those of the client. */
  middleware?: readonly Middleware[] | undefined;
}

/** The options of a call whose operation declares the header `Idempotency-Key`. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * 1 to 255 visible characters: the service answers the same key and body with the same answer, so that a call with a
   * key is sent again after a failure. Default: none, and then it is not.
   */
  idempotencyKey?: string | undefined;
}

/** The options of a call that can stream. */
export interface StreamCallOptions extends CallOptions {
  /** Whether a stream keeps what `final()` adds up. Default true. */
  accumulate?: boolean | undefined;
}

/**
 * Looks at the numbers among the options.
 * @throws {@link ConfigurationError} naming the one that is none, or is too small.
 */
export function checkNumbers(options: CallOptions & ClientOptions, facts?: Partial<CallFacts>): void {
  for (const name of ["timeoutMs", "totalTimeoutMs", "maxRetries"] as const) {
    const value = options[name];
    // Written so that NaN fails too. No retry is a number of retries; no time is no time to answer in.
    if (value !== undefined && !(value > (name === "maxRetries" ? -1 : 0)))
      throw new ConfigurationError(`${name} cannot be ${value}.`, facts);
  }
}

/** The options of a client as they are now: what changes in the program's own object afterwards changes no call. */
export function copyOptions(options: ClientOptions): ClientOptions & { readonly middleware: readonly Middleware[] } {
  const { headers, middleware = [], fetchOptions } = options;
  return {
    ...options,
    headers: Object.fromEntries(entriesOf(headers)),
    middleware: [...middleware],
    fetchOptions: { ...fetchOptions },
  };
}
