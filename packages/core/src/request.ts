import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import type { CallOptions } from "./options.ts";
import { fillPath, queryOf } from "./paths.ts";

type Values = { readonly [name: string]: unknown };

/** A body as it is sent: text, or bytes. */
export interface Written {
  readonly body?: string;
  readonly raw?: Blob | ReadableStream;
  readonly type?: string;
  /** Set if the body is a stream, which can be sent once. */
  readonly once?: boolean;
  /** The options of the call, if the body changes them. */
  readonly options?: CallOptions;
}

/** The parts of a call, beside its options. */
export interface Parts {
  /** The path parameters, by name. */
  readonly path?: Values;
  /** The texts of the path parameters, if one is a list: `pathList`. */
  readonly texts?: Values;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Writes a body that is not `application/json`. */
  readonly write?: (body: unknown, options: CallOptions) => Promise<Written>;
  /** Whether the answer is returned as a stream. */
  readonly open?: boolean;
}

/**
 * The path and query of a call.
 * @throws {@link ConfigurationError} naming the invalid parameter.
 */
export function addressOf(path: string, parts: Parts, options: CallOptions, facts: Partial<CallFacts>): string {
  const query = queryOf({ ...parts.query, ...options.extraQuery }, facts);
  return fillPath(path, parts.texts ?? parts.path, facts) + (query && `?${query}`);
}

/**
 * Refuses NaN and the infinities, which `JSON.stringify` turns into null.
 * @throws {@link ConfigurationError} with the path of the number.
 */
export function checkFinite(value: unknown, path = "body"): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw new ConfigurationError(`${path} is ${value}.`);
  if (typeof value === "object" && value && !("toJSON" in value))
    for (const [name, member] of Object.entries(value)) checkFinite(member, `${path}.${name}`);
}

/**
 * The body of a call, serialized once for all its attempts; empty if there is none.
 * @throws {@link ConfigurationError} if it cannot be written as JSON.
 */
export async function bodyOf(
  { body, write }: Parts,
  options: CallOptions,
  facts: Partial<CallFacts>,
): Promise<Written> {
  const content = options.extraBody ? Object.assign({}, body, options.extraBody) : body;
  if (content === undefined) return {};
  if (write) return write(content, options);
  try {
    const text = JSON.stringify(content);
    // A body without a null needs no look at each of its numbers.
    if (/null/.test(text)) checkFinite(content);
    return { body: text, type: "application/json" };
  } catch (cause) {
    throw new ConfigurationError(`the body cannot be written as JSON: ${Object(cause).message}`, facts, { cause });
  }
}
