import type { Answers } from "./answer.ts";
import type { Carrier } from "./carrier.ts";
import type { eventParser } from "./sse.ts";

/** The HTTP methods that an operation can have, and those of `additionalOperations`. */
export type Method =
  | ("GET" | "PUT" | "POST" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH" | "TRACE" | "QUERY")
  | (Uppercase<string> & {});

/**
 * Whether an operation may be retried after a failure that leaves its outcome unknown: `always`; `with-key`, only if the
 * caller passed an idempotency key; `never`. After a 429, or if no connection was made, all three are retried.
 */
export type Resend = "always" | "with-key" | "never";

/**
 * The pagination of a list operation: the name of its cursor, the property of an item used as cursor, and the flag for more
 * pages.
 */
export interface Pagination {
  readonly cursor: string;
  readonly item: string;
  readonly more: string;
}

/** The streaming of an operation. */
export interface Streaming {
  /** The body property that turns it on. Undefined if the operation always streams. */
  readonly toggle?: string;
  /** Whether it streams if the body does not have the property. Default `false`. */
  readonly byDefault?: boolean;
  /** The event that ends the stream. Undefined if `[DONE]` or the end of the body does. */
  readonly end?: string;
  /** The media type to ask for. Default: `text/event-stream`. */
  readonly accept?: string;
  /** What splits the body: `lineParser`. Default: server-sent events. */
  readonly parser?: typeof eventParser;
}

/** What the engine knows about an operation. A generated client has one for each of its methods. */
export interface Operation {
  /** As in `models.checkpoints.list`. */
  readonly name: string;
  readonly method: Method;
  /** The path as in the document, with its parameters in braces. */
  readonly path: string;
  /** Other paths of the same operation. */
  readonly aliases?: readonly string[];
  /** Whether a call has a body. */
  readonly body?: boolean;
  /** Where a call has its query: in an argument of its own, or in its options. */
  readonly query?: "argument" | "option";
  /** Writes a body that is not `application/json`: `bodyAs({ "text/csv": [textBody] })`. */
  readonly write?: (body: unknown, options: object) => Promise<object>;
  /** Writes query parameters that have a style: `styledQuery({ filter: deepObject })`. */
  readonly styled?: (query: object | undefined) => object | undefined;
  /** The texts of path parameters that can be lists: `pathLists("ids")`. */
  readonly lists?: (path: object) => object;
  /** Writes the cookies of a call: `withCookies`. */
  readonly cookies?: (options: object) => object;
  /** Whether the answer is returned as a stream; `as` if the call decides. */
  readonly open?: boolean | "as";
  /** Default: `always` for methods that HTTP defines as repeatable, `never` for POST, PATCH and methods of a document. */
  readonly resend?: Resend;
  /** Properties of the body, with their values: a request that has all of them is retried as with `always`. */
  readonly alwaysIf?: { readonly [property: string]: unknown };
  /** Seconds for one attempt. Default: the service's. */
  readonly timeout?: number;
  /**
   * The alternatives to authenticate a call. Each is a set of security schemes that are needed together; an empty set needs
   * none. A scheme is named after the client option that holds its credential. A client uses the first set for which it has
   * all credentials. Default: the service's.
   */
  readonly security?: readonly (readonly string[])[];
  /** Whether the operation declares the header `Idempotency-Key`. */
  readonly keyed?: boolean;
  /** Headers whose values come from client options: `{ "Compat-Project": "project" }`. */
  readonly fill?: { readonly [header: string]: string };
  /** Query parameters whose list is one value with commas, for {@link Service.joinLists}. */
  readonly joined?: readonly string[];
  /** Query parameters whose reserved characters are not encoded, for {@link Service.joinLists}. */
  readonly reserved?: readonly string[];
  readonly page?: Pagination;
  readonly stream?: Streaming;
  /**
   * The `Accept` header of an operation whose answer is not `application/json`: `text/csv, application/json`, where the
   * latter is for errors. Without {@link Operation.answers}, the answer is text.
   */
  readonly accept?: string;
  /** Reads answers that are neither all JSON nor all text: `answersOf({ default: noneAnswer })`. */
  readonly answers?: Answers;
  /**
   * What a JSON answer has to have: the names of its required properties; none if it is a list. If undefined, the document
   * requires nothing that is one of both. Only what has the basis `interface`, or no basis, is required.
   */
  readonly needs?: readonly string[];
  /** The same with facts of every basis, where that differs: what tells an answer from an error behind a success. */
  readonly expects?: readonly string[];
  /** Whether the document marks the operation as deprecated. */
  readonly deprecated?: boolean;
}

/** A service, as its generated client describes it to the engine. */
export interface Service {
  /** The name of the service, used in messages. */
  readonly name: string;
  /** `info.version` of the document. */
  readonly contractVersion: string;
  /** The environment variables of client options: `{ apiKey: "PETS_API_KEY" }`. No others are read. */
  readonly variables?: { readonly [option: string]: string };
  /** The header in which the client names its package, its contract and the runtime. Default: it does not. */
  readonly identity?: string;
  /** The default limit of an attempt, in seconds. */
  readonly timeout: number;
  /** How to send the credential of a security scheme, by the scheme's name. Default: as a bearer token. */
  readonly schemes?: { readonly [scheme: string]: Carrier };
  /** Writes the lists of a path or query, and reserved characters, if an operation has such ones: `joinLists`. */
  readonly joinLists?: (url: string, operation?: Pick<Operation, "joined" | "reserved">) => string;
  /** What most operations need, for {@link Operation.security}. If undefined, they need no credential. */
  readonly security?: readonly (readonly string[])[];
  /** Whether a client without any credential cannot be made, if one of its operations needs one. Default: the call fails. */
  readonly needsKey?: boolean;
  /** The default of `baseUrl`. */
  readonly server?: string;
  /** Whether all paths begin with `/v1`, so that an address may end with it. */
  readonly v1?: boolean;
}
