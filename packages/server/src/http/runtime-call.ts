/** A request as every handler gets it; `Call` with its types left out. */
export interface RuntimeCall {
  readonly entity: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly idempotency: { readonly operation: string; readonly key: string; readonly hash: string } | undefined;
  readonly signal: AbortSignal;
}

/**
 * The call of one request. A class, for its getter: written into an object, a getter gives each object a shape of its own,
 * and with it V8 keeps all that the getter sees (the body) until the next full collection.
 */
export class RequestCall implements RuntimeCall {
  readonly entity: string;
  readonly path: RuntimeCall["path"];
  readonly query: RuntimeCall["query"];
  readonly body: unknown;
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly idempotency: RuntimeCall["idempotency"];
  readonly #request: Request;

  constructor(request: Request, parts: Omit<RuntimeCall, "signal">) {
    this.#request = request;
    this.entity = parts.entity;
    this.path = parts.path;
    this.query = parts.query;
    this.body = parts.body;
    this.text = parts.text;
    this.bytes = parts.bytes;
    this.idempotency = parts.idempotency;
  }

  /** Made only for who asks for it: it costs more than most answers. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
