import type { Operation } from "@trainyard/document";

/** A request that its document allows, as a handler gets it. */
export interface Call {
  readonly operation: Operation;
  /** Who the credentials belong to; empty for an operation that needs none. */
  readonly owner: string;
  /** The parameters in the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The declared parameters of the query, with the types and the defaults that the document gives them. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The headers as they came. */
  readonly headers: Headers;
  /** The JSON that was sent, or what the operation's reader made of it; undefined where there was none. */
  readonly body: unknown;
  /** Of the JSON of a request with an `Idempotency-Key`: the same for the same JSON, whatever the order of properties. */
  readonly digest: string | undefined;
  /** The body as it came, for one who keeps it: its buffer may be handed to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Ends when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * The call of one request. A class, for its getters: written into an object, a getter gives each object a shape of its own,
 * and with it V8 keeps all that the getter sees (the body) until the next full collection.
 */
export class RequestCall implements Call {
  readonly operation: Operation;
  readonly owner: string;
  readonly path: Call["path"];
  readonly query: Call["query"];
  readonly body: unknown;
  readonly digest: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #request: Request;

  constructor(request: Request, parts: Omit<Call, "signal" | "headers">) {
    this.#request = request;
    this.operation = parts.operation;
    this.owner = parts.owner;
    this.path = parts.path;
    this.query = parts.query;
    this.body = parts.body;
    this.digest = parts.digest;
    this.bytes = parts.bytes;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  /** Computed only when it is read, because it costs more than most answers. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
