import type { Operation } from "@trainyard/document";
import { parseBody, readBytes, type BodyLimits } from "./body.ts";

/** A request that has reached an operation, and of which nothing is judged yet. */
export interface Arrival {
  /** The name of the document: `training`. */
  readonly document: string;
  readonly operation: Operation;
  readonly method: string;
  /** Without the path of the document's server. */
  readonly path: string;
  /** The parameters in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Ends when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Reads the body, once for all who ask. Undefined where there is none, and for one that is too large or no JSON. */
  json(): Promise<unknown>;
}

/** Where a request is on its way through a host. */
export class RequestContext implements Arrival {
  readonly request: Request;
  readonly document: string;
  readonly operation: Operation;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly limits: BodyLimits;
  /** What every answer carries. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** Whether a stream that goes out keeps the request under way. */
  lasts = false;
  /** Tells that the caller may call: who is waited for longer than others. */
  readonly known: () => void;
  readonly #leave: () => void;
  #query: URLSearchParams | undefined;
  #bytes: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined;

  constructor(
    request: Request,
    parts: Pick<RequestContext, "document" | "operation" | "path" | "params" | "limits" | "answerHeaders" | "known">,
    leave: () => void,
  ) {
    this.request = request;
    this.document = parts.document;
    this.operation = parts.operation;
    this.path = parts.path;
    this.params = parts.params;
    this.limits = parts.limits;
    this.answerHeaders = parts.answerHeaders;
    this.known = parts.known;
    this.#leave = leave;
  }

  get method(): string {
    return this.request.method;
  }

  get headers(): Headers {
    return this.request.headers;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.request.url.split("?", 2)[1]?.split("#", 1)[0]));
  }

  /** The body as it came; undefined for one that is larger than it may be. */
  bytes(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const length = Number(this.headers.get("content-length") ?? Number.NaN);
    return (this.#bytes ??= readBytes(this.request, length, this.limits.bytes));
  }

  async json(): Promise<unknown> {
    const bytes = await this.bytes();
    const body = bytes && parseBody(bytes, this.limits);
    return body?.kind === "json" ? body.value : undefined;
  }

  /** The end of the request, where a stream goes on after the answer has begun. */
  leave(): void {
    this.#leave();
  }
}
