import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import type { Fetch } from "./fetch.ts";
import { entriesOf, type HeaderValues } from "./headers.ts";
import type { Logger, LogLevel } from "./logger.ts";
import type { Middleware } from "./middleware.ts";
import type { Validators, Validate } from "./validate.ts";

/** A key or token, or a function that returns it. The function is called for each attempt. */
export type Secret = string | (() => string | Promise<string>);

/** Whether the client makes the idempotency keys of calls. */
export type IdempotencyKeys = "auto" | "off";

/** A value in `extraQuery`. An array repeats its name. */
export type QueryValue = string | number | boolean | null | undefined;

/** The options of every client. */
export interface ClientOptions {
  /**
   * The address of the service. Default: the environment variable that the client names for it, if any, then the first address
   * of its document, if that is a whole one.
   */
  baseUrl?: string | undefined;
  /**
   * The API key, or a function that returns it. The function is called for each attempt, and once more after a 401. `null`
   * sends no key, for a proxy that adds it. Default: the environment variable that the client names for it, if any.
   */
  apiKey?: Secret | null | undefined;
  /** Allows a key in a browser, where everyone who opens the page can read it. Default `false`. */
  allowKeyInBrowser?: boolean | undefined;
  /**
   * Milliseconds for one attempt: connecting, headers and body. For a stream: for its headers, then for each wait for data.
   * Default: the limit that the contract sets for the operation.
   */
  timeoutMs?: number | undefined;
  /** How many times a call is retried after a failure that allows it. Default `2`. */
  maxRetries?: number | undefined;
  /**
   * `auto` sends a new UUID as `Idempotency-Key` with each call whose operation declares this header, the same in all its
   * attempts, so that the call is retried like others. A key of the call's own has precedence. Use it only if the service
   * keeps keys: others ignore the header, and a retry could do its work twice. Default `off`.
   */
  idempotencyKeys?: IdempotencyKeys | undefined;
  /** Headers of every request. The value `null` removes a header. */
  headers?: HeaderValues | undefined;
  /** The function that sends requests, such as the `fetch` of undici. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Passed to `fetch` with each request, unchanged: `{ dispatcher }` of undici, `{ cache }`, `{ credentials }`. */
  fetchOptions?: object | undefined;
  /** Functions around each attempt. The first is the outermost. */
  middleware?: readonly Middleware[] | undefined;
  /** Receives the log. Default `console`. */
  logger?: Logger | undefined;
  /** How much is logged: `off`, `error`, `warn`, `info` or `debug`. Default `warn` if a `logger` is given, else `off`. */
  logLevel?: LogLevel | undefined;
  /**
   * The client's module `/validators`, or the validators from it that you use. A function that returns them, such as
   * `() => import("./validators.js")`, is called when the first value is checked.
   */
  validators?: Validators | (() => Promise<Validators>) | undefined;
  /** What the `validators` check: `requests`, `responses` or `both`. Default `both`. */
  validate?: Validate | undefined;
  /**
   * Whether requests have the header that names the package, its contract and the runtime, if the client has one. Browsers
   * never send it. Default `true`.
   */
  identity?: boolean | undefined;
}

/** The options of every call. */
export interface CallOptions {
  /** Ends the call with an {@link AbortError}, also during the wait before a retry and during a stream. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. Default: the client's. */
  timeoutMs?: number | undefined;
  /** Milliseconds for the whole call: all attempts, the waits between them, and reading a stream. Default: no limit. */
  totalTimeoutMs?: number | undefined;
  /** How many times the call is retried after a failure that allows it. Default: the client's. */
  maxRetries?: number | undefined;
  /** Whether the call sends a new `Idempotency-Key` if its operation declares one. Default: the client's. */
  idempotencyKeys?: IdempotencyKeys | undefined;
  /** Headers of this call. They override the client's. */
  headers?: HeaderValues | undefined;
  /** Properties to add to the body that the contract does not declare. */
  extraBody?: { readonly [name: string]: unknown } | undefined;
  /** Query parameters that the contract does not declare. */
  extraQuery?: { readonly [name: string]: QueryValue | readonly QueryValue[] } | undefined;
  /** Passed to `fetch` with each request of this call. They override the client's. */
  fetchOptions?: object | undefined;
  /** Functions around each attempt, inside those of the client. */
  middleware?: readonly Middleware[] | undefined;
}

/** The options of a call whose operation declares the header `Idempotency-Key`. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. The service returns the same response for the same key and body, so a call with a
   * key is retried after a failure. Default: what `idempotencyKeys` says, else no key, and no such retry.
   */
  idempotencyKey?: string | undefined;
}

/** The options of a call that can stream. */
export interface StreamCallOptions extends CallOptions {
  /** Whether a stream keeps its chunks for `final()` and `partial()`. Default `true`. */
  accumulate?: boolean | undefined;
}

/**
 * Checks the numeric options.
 * @throws {@link ConfigurationError} naming the option that is not a number or too small.
 */
export function checkNumbers(options: CallOptions & ClientOptions, facts?: Partial<CallFacts>): void {
  for (const name of ["timeoutMs", "totalTimeoutMs", "maxRetries"] as const) {
    const value = options[name];
    // Written so that NaN fails too. 0 is valid for `maxRetries`, but not for a time.
    if (value !== undefined && !(value > (name === "maxRetries" ? -1 : 0)))
      throw new ConfigurationError(`${name} cannot be ${value}.`, facts);
  }
}

/** A copy of a client's options, so that later changes to the program's object have no effect. */
export function copyOptions(options: ClientOptions): ClientOptions & { readonly middleware: readonly Middleware[] } {
  const { headers, middleware = [], fetchOptions } = options;
  return {
    ...options,
    headers: Object.fromEntries(entriesOf(headers)),
    middleware: [...middleware],
    fetchOptions: { ...fetchOptions },
  };
}
