import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import type { CallOptions } from "./options.ts";
import { fillPath, queryOf } from "./paths.ts";

type Values = { readonly [name: string]: unknown };

/** What a call is made of, beside its options. */
export interface Parts {
  /** The path parameters, by name. */
  readonly path?: Values;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/**
 * The address of a call, behind that of its service.
 * @throws {@link ConfigurationError} naming the parameter that cannot be written.
 */
export function addressOf(path: string, parts: Parts, options: CallOptions, facts: Partial<CallFacts>): string {
  const query = queryOf({ ...parts.query, ...options.extraQuery }, facts);
  return fillPath(path, parts.path, facts) + (query && `?${query}`);
}

/**
 * The body of a call, written once for all its attempts; `null` where there is none.
 * @throws {@link ConfigurationError} where it cannot be written as JSON.
 */
export function bodyOf({ body }: Parts, { extraBody }: CallOptions, facts: Partial<CallFacts>): string | null {
  const content = extraBody ? Object.assign({}, body, extraBody) : body;
  try {
    return content === undefined ? null : JSON.stringify(content);
  } catch (cause) {
    throw new ConfigurationError(`the body cannot be written as JSON: ${Object(cause).message}`, facts, { cause });
  }
}
