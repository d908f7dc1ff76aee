import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import type { Operation } from "./operation.ts";
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
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/**
 * The path and query of a call.
 * @throws {@link ConfigurationError} naming the invalid parameter.
 */
export function addressOf(
  { path: template, styled, lists }: Pick<Operation, "path" | "styled" | "lists">,
  { path, query: given }: Parts,
  options: CallOptions,
  facts: Partial<CallFacts>,
): string {
  const query = queryOf({ ...(styled ? styled(given) : given), ...options.extraQuery }, facts);
  const texts = lists ? { ...path, ...lists(path ?? {}) } : path;
  // The path of a few documents has a query already.
  return fillPath(template, texts, facts) + (query && `${template.includes("?") ? "&" : "?"}${query}`);
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
  body: unknown,
  write: Operation["write"],
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
