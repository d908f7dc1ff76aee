import type { JsonObject } from "@trainyard/core/validation";
import type { Basis, Pagination, Stream } from "./dialect.ts";
import type { Resend } from "./resend.ts";
import type { HttpMethod } from "./http-method.ts";
import type { Media } from "./media.ts";
import type { Located } from "./locate.ts";
import { isJoined, type Styled } from "./parameter-style.ts";
import type { Security } from "./security.ts";

/** One operation of a document, with the dialect's defaults for keys that it does not have. */
export interface Operation extends Located {
  /** The name of the operation: `models.create`. An alias has the name of its original. */
  readonly name: string;
  /** The client method: `x-client-method`, or a derived name. Undefined for an alias. */
  readonly clientMethod: string | undefined;
  /** The operationId; method and path if there is none, or if another operation has the same. */
  readonly id: string;
  /** As in the bundle: in lower case, but not if it is one of `additionalOperations`. */
  readonly key: HttpMethod;
  /** In upper case, as it is sent. */
  readonly method: string;
  /** With parameters in braces, without the base path of the server. */
  readonly path: string;
  /** The path item that contains the operation. */
  readonly item: Located;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly basis: Basis | undefined;
  /** The operationId of the operation that this one is an alias of. */
  readonly aliasOf: string | undefined;
  /** Paths of the aliases of this operation. */
  readonly aliases: readonly string[];
  /** The parameters of the path, then those of the operation, which override them. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly security: Security;
  /** By status as written in the document, in its order: `200`, `4XX`, `default`. */
  readonly responses: ReadonlyMap<string, DocumentResponse>;
  readonly resend: Resend;
  /** The properties of the body, with their values, with which a request may always be retried. */
  readonly alwaysIf: JsonObject | undefined;
  /** Whether it changes nothing, by its method (`GET`) or by its `x-` key. */
  readonly safe: boolean;
  /** Seconds for one attempt. */
  readonly timeout: number;
  readonly pagination: Pagination | undefined;
  readonly stream: Stream | undefined;
  /** What the document leaves out and is derived, each with its reason: `resend always (GET)`. */
  readonly derived: readonly string[];
}

export interface Parameter extends Located, Styled {
  readonly required: boolean;
  readonly description: string;
  /** The first example. */
  readonly example: unknown;
  /** The client option that fills the parameter. */
  readonly clientOption: string | undefined;
}

export interface RequestBody extends Located {
  readonly required: boolean;
  readonly description: string;
  readonly content: ReadonlyMap<string, Media>;
}

export interface DocumentResponse extends Located {
  readonly status: string;
  readonly description: string;
  readonly content: ReadonlyMap<string, Media>;
  readonly headers: ReadonlyMap<string, ResponseHeader>;
}

export interface ResponseHeader extends Located, Styled {
  readonly description: string;
  readonly required: boolean;
  /** The first example. */
  readonly example: unknown;
}

/** The response that an operation declares for a status: for that status, else for its range (`4XX`), else `default`. */
export function responseOf({ responses }: Pick<Operation, "responses">, status: number): DocumentResponse | undefined {
  const range = `${Math.trunc(status / 100)}XX`;
  const keys = [String(status), range, range.toLowerCase(), "default"];
  return responses.get(keys.find((key) => responses.has(key)) ?? "");
}

/** The responses of success, the lowest first; `default` if it is the only one. */
export function successesOf(responses: Operation["responses"]): DocumentResponse[] {
  const all = [...responses.values()];
  const declared = all.filter(({ status }) => status.startsWith("2"));
  if (declared.length > 0) return declared.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  return all.filter(({ status }) => status === "default");
}

/** The statuses of success that an operation declares, also by a range or `default`: those from 200 to 299. */
export function successStatuses(operation: Pick<Operation, "responses">): number[] {
  const successes = successesOf(operation.responses);
  return Array.from({ length: 100 }, (_, at) => 200 + at).filter((status) =>
    successes.some((one) => one === responseOf(operation, status)),
  );
}

/** The query parameters whose list is one value with commas. */
export function joinedLists({ parameters }: Operation): string[] {
  return parameters.filter(isJoined).map(({ name }) => name);
}

/** The query parameters whose reserved characters are not encoded. */
export function reservedQueries({ parameters }: Operation): string[] {
  return parameters
    .filter(({ in: where, node }) => where === "query" && node["allowReserved"] === true)
    .map(({ name }) => name);
}

/** Whether an operation accepts an `Idempotency-Key`. Header names ignore case. */
export function isKeyed({ parameters }: Pick<Operation, "parameters">): boolean {
  return parameters.some(({ in: where, name }) => where === "header" && name.toLowerCase() === "idempotency-key");
}
