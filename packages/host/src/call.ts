import type { Operation } from "@trainyard/document";

/**
 * The call of one request. A class, because of its getters: in an object literal they would give every object its own
 * shape, with which V8 keeps everything they capture (the body) until the next full garbage collection.
 */
export class RequestCall {
  readonly operation: Operation;
  /** The owner of the credentials, such as the entity of a key; empty if the operation needs none. */
  readonly owner: string;
  /** What logs call the credentials. */
  readonly keyId: string | undefined;
  /** The parameters in the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The declared query parameters, with the types and defaults of the document. */
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON or a form as a value, or the result of the operation's reader; text as a string; undefined for bytes and for no body. */
  readonly body: unknown;
  /** A digest of the body of a request with an `Idempotency-Key`. It does not depend on the order of properties. */
  readonly digest: string | undefined;
  /** The raw body, for handlers that keep it. Its buffer may be transferred to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #request: Request;

  constructor(request: Request, parts: Omit<Call, "signal" | "headers">) {
    this.#request = request;
    this.operation = parts.operation;
    this.owner = parts.owner;
    this.keyId = parts.keyId;
    this.path = parts.path;
    this.query = parts.query;
    this.body = parts.body;
    this.digest = parts.digest;
    this.bytes = parts.bytes;
  }

  /** The headers of the request. */
  get headers(): Headers {
    return this.#request.headers;
  }

  /** Aborts when the client no longer waits for the response. Computed on demand, because it costs more than most responses. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** A validated request, as its handler receives it. */
export type Call = Pick<RequestCall, keyof RequestCall>;
