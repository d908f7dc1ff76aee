import type { Basis, ContractRule, Pagination, Resend, Stream } from "./dialect.ts";
import type { HttpMethod } from "./http-method.ts";
import type { Media } from "./media.ts";
import type { Place } from "./place.ts";
import type { Security } from "./security.ts";

/** One operation of a document. What a key leaves out has the default of the dialect. */
export interface Operation extends Place {
  /** What people call: `models.create`. An alias has the name of what it repeats; without a name it is the id. */
  readonly name: string;
  /** The method of the client (`x-client-method`); undefined for an alias, and where the document gives none. */
  readonly clientMethod: string | undefined;
  /** The operationId; method and path where there is none. */
  readonly id: string;
  /** As the document writes it. */
  readonly key: HttpMethod;
  /** Upper case, as it is sent. */
  readonly method: string;
  /** With parameters in braces, without the base path of the server. */
  readonly path: string;
  /** The path item that holds it. */
  readonly item: Place;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly basis: Basis | undefined;
  readonly rules: readonly ContractRule[];
  /** The operationId of what this one repeats. */
  readonly aliasOf: string | undefined;
  /** Paths of the operations that repeat this one. */
  readonly aliases: readonly string[];
  /** Those of the path, then the operation's own. One of the operation replaces one of the path. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly security: Security;
  /** By status as the document writes it, in its order: `200`, `4XX`, `default`. */
  readonly responses: ReadonlyMap<string, DocumentResponse>;
  readonly resend: Resend;
  /** Whether it changes nothing: by its method (`GET`), or by what the document says. */
  readonly safe: boolean;
  /** Seconds that one attempt may take. */
  readonly timeout: number;
  readonly pagination: Pagination | undefined;
  readonly stream: Stream | undefined;
}

export interface Parameter extends Place {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly description: string;
  readonly deprecated: boolean;
  readonly schema: Place;
  /** The first example. */
  readonly example: unknown;
  /** The client option that fills it. */
  readonly clientOption: string | undefined;
}

export interface RequestBody extends Place {
  readonly required: boolean;
  readonly description: string;
  readonly content: ReadonlyMap<string, Media>;
}

export interface DocumentResponse extends Place {
  readonly status: string;
  readonly description: string;
  readonly content: ReadonlyMap<string, Media>;
  readonly headers: ReadonlyMap<string, ResponseHeader>;
}

export interface ResponseHeader extends Place {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Place;
  /** The first example. */
  readonly example: unknown;
}

/** The answer that an operation declares for a status: of that status, else of its range (`4XX`), else `default`. */
export function responseOf({ responses }: Operation, status: number): DocumentResponse | undefined {
  const range = `${Math.trunc(status / 100)}XX`;
  return responses.get(String(status)) ?? responses.get(range) ?? responses.get("default");
}

/** Whether an operation takes an `Idempotency-Key`. Names of headers ignore case. */
export function isKeyed({ parameters }: Operation): boolean {
  return parameters.some(({ in: where, name }) => where === "header" && name.toLowerCase() === "idempotency-key");
}
