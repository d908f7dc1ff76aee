import type { Carrier } from "./carrier.ts";

/** The methods of HTTP that an operation can have. */
export type Method = "GET" | "PUT" | "POST" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH" | "TRACE";

/**
 * When an operation may be sent again after a failure that leaves its outcome open: `always`; `with-key`, only where the
 * caller gave an idempotency key; `never`. A 429 and a connection that was never made are safe for all three.
 */
export type Resend = "always" | "with-key" | "never";

/** How a list operation names its cursor, the member of an item that the cursor takes, and the flag that more follow. */
export interface Pagination {
  readonly cursor: string;
  readonly item: string;
  readonly more: string;
}

/** How an operation streams: the member of the body that asks for it, and the event that ends it. */
export interface Streaming {
  readonly toggle: string;
  readonly end: string;
}

/** What the engine must know of an operation. A generated client holds one for each of its methods. */
export interface Operation {
  readonly method: Method;
  /** The path as the document has it, with its parameters in braces. */
  readonly path: string;
  /** Other paths that do the same. */
  readonly aliases?: readonly string[];
  /** Default `never`. */
  readonly resend?: Resend;
  /** Seconds for one attempt. Default: the service's. */
  readonly timeout?: number;
  /**
   * What authenticates a call: any of these sets of security schemes, which are needed together; an empty one needs nothing.
   * A scheme is named after the client option that has its credential. A client uses the first set that it has all
   * credentials of. Absent: no credential is sent.
   */
  readonly security?: readonly (readonly string[])[];
  /** Whether the operation declares the header `Idempotency-Key`. */
  readonly keyed?: boolean;
  /** Headers that a client option fills: `{ "Compat-Project": "project" }`. */
  readonly fill?: { readonly [header: string]: string };
  readonly page?: Pagination;
  readonly stream?: Streaming;
  /** What is accepted where the answer is text and is given as it is: `text/csv, application/json`, the latter for errors. */
  readonly accept?: string;
  /** Whether the document marks the operation as deprecated. */
  readonly deprecated?: boolean;
}

/** The operations of a service by the name that people call: `models.checkpoints.list`. */
export type Operations = { readonly [name: string]: Operation };

/** A service as its generated client describes it to the engine. */
export interface Service<Table extends Operations = Operations> {
  /** The name of the service: names the environment variable of its address, and stands in messages. */
  readonly name: string;
  /** `info.version` of the document. */
  readonly contractVersion: string;
  /** Seconds for one attempt of an operation that states none. */
  readonly timeout: number;
  /** How the credential of a security scheme travels, by the scheme's name. Default: as a bearer token. */
  readonly schemes?: { readonly [scheme: string]: Carrier };
  readonly operations: Table;
}
