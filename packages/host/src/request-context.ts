import type { Operation } from "@trainyard/document";
import type { Caller } from "./keys.ts";
import { parseBody, readBytes, type BodyLimits } from "./body.ts";
import type { HostCode, Refusal } from "./refusal.ts";
import type { Slots } from "./slots.ts";
import type { StreamOutcome } from "./streams.ts";

/** Who sends a request. */
export interface Sender {
  /** Once it is known. */
  caller: Caller | undefined;
  /** Gives the request more time. */
  readonly onAuthorized: () => void;
  /** Receives the end of a stream. */
  ended?: (outcome: StreamOutcome, reason?: string) => void;
}

/** Notes who sends a request, and gives it more time. */
export function authorize(sender: Sender, caller: Caller): void {
  sender.caller = caller;
  sender.onAuthorized();
}

/** A request on its way through a host. */
export class RequestContext {
  readonly request: Request;
  /** The name of the document: `training`. */
  readonly document: string;
  readonly operation: Operation;
  /** Without the path of the document's server. */
  readonly path: string;
  /** The parameters in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly limits: BodyLimits;
  /** The headers of every response. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The body, once it is read and valid. */
  value: unknown;
  /** Whether an outgoing stream keeps the request running. */
  lasts = false;
  /** Breaks an outgoing stream off, with an event that says why. */
  cut: ((error: Error) => void) | undefined;
  /** Whether it counts as running. */
  isRunning: boolean;
  readonly sender: Sender;
  readonly #slots: Slots | undefined;
  /** Whose slot it has. */
  #owner: string | undefined;
  readonly #leave: (context: RequestContext, outcome?: StreamOutcome, reason?: string) => void;
  #query: URLSearchParams | undefined;
  #bytes: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined;

  constructor(
    request: Request,
    parts: Pick<
      RequestContext,
      "document" | "operation" | "path" | "params" | "limits" | "answerHeaders" | "sender" | "isRunning"
    > & { readonly slots: Slots | undefined },
    leave: (context: RequestContext, outcome?: StreamOutcome, reason?: string) => void,
  ) {
    this.request = request;
    this.document = parts.document;
    this.operation = parts.operation;
    this.path = parts.path;
    this.params = parts.params;
    this.limits = parts.limits;
    this.answerHeaders = parts.answerHeaders;
    this.sender = parts.sender;
    this.isRunning = parts.isRunning;
    this.#slots = parts.slots;
    this.#leave = leave;
  }

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    return this.request.url;
  }

  get headers(): Headers {
    return this.request.headers;
  }

  /** Aborts when the client no longer waits for the response. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  /** The query as it was sent, without `?`. */
  get search(): string {
    return /\?([^#]*)/.exec(this.request.url)?.[1] ?? "";
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.search));
  }

  /** The raw body; undefined if it is larger than permitted. */
  bytes(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#bytes !== undefined) return this.#bytes;
    const length = Number(this.headers.get("content-length") ?? Number.NaN);
    // A client that asks first has not begun to send.
    if (length > this.limits.bytes && this.headers.get("expect")?.toLowerCase() === "100-continue")
      return Promise.resolve(undefined);
    return (this.#bytes = readBytes(this.request, length, this.limits.bytes));
  }

  /** Takes a slot once the body is there, so that those who send slowly take none. Returns why it is refused. */
  async admit(owner: string): Promise<Refusal<number, HostCode> | undefined> {
    const slots = this.#slots;
    if (slots === undefined || this.#owner !== undefined) return undefined;
    // Whether there is a body is not asked: the answer would create a `Request` and a stream, which cost more than the body.
    if (this.operation.body !== undefined) {
      const refusal = slots.beginBody(owner);
      if (refusal !== undefined) return refusal;
      try {
        await this.bytes();
      } finally {
        slots.endBody(owner);
      }
    }
    const refusal = slots.begin(owner);
    if (refusal === undefined) this.#owner = owner;
    return refusal;
  }

  /** Gives its slot back. */
  release(): void {
    if (this.#owner !== undefined) this.#slots?.end(this.#owner);
    this.#owner = undefined;
  }

  /** Reads the body once, for all callers. Undefined if there is none, or if it is too large or not JSON. */
  async json(): Promise<unknown> {
    const bytes = await this.bytes();
    const body = bytes && parseBody(bytes, this.limits);
    return body?.kind === "json" ? body.value : undefined;
  }

  /** Ends the request; a stream ends it after the response has begun, and says how. */
  leave(outcome?: StreamOutcome, reason?: string): void {
    this.#leave(this, outcome, reason);
  }
}

/** A request that matched an operation, before validation. */
export type Arrival = Pick<
  RequestContext,
  "document" | "operation" | "method" | "path" | "params" | "query" | "headers" | "signal" | "json"
>;
