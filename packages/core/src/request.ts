import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import type { CallOptions } from "./options.ts";
import { fillPath, queryOf } from "./paths.ts";

type Values = { readonly [name: string]: unknown };

/** The parts of a call, beside its options. */
export interface Parts {
  /** The path parameters, by name. */
  readonly path?: Values;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Whether the answer is returned as a stream. */
  readonly open?: boolean;
}

/**
 * The path and query of a call.
 * @throws {@link ConfigurationError} naming the invalid parameter.
 */
export function addressOf(path: string, parts: Parts, options: CallOptions, facts: Partial<CallFacts>): string {
  const query = queryOf({ ...parts.query, ...options.extraQuery }, facts);
  return fillPath(path, parts.path, facts) + (query && `?${query}`);
}

/**
 * The body of a call, serialized once for all its attempts; `null` if there is none.
 * @throws {@link ConfigurationError} if it cannot be written as JSON.
 */
export function bodyOf({ body }: Parts, { extraBody }: CallOptions, facts: Partial<CallFacts>): string | null {
  const content = extraBody ? Object.assign({}, body, extraBody) : body;
  try {
    return content === undefined ? null : JSON.stringify(content);
  } catch (cause) {
    throw new ConfigurationError(`the body cannot be written as JSON: ${Object(cause).message}`, facts, { cause });
  }
}
