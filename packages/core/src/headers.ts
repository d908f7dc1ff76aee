import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";

/** Headers by name. `null` removes a header that would otherwise be sent. */
export type HeaderValues = { readonly [name: string]: string | null | undefined };

/** Headers by name, from options or from the runtime. */
type Source = HeaderValues | Iterable<readonly [string, string | null | undefined]> | undefined;

/** Header names and values. */
export function entriesOf(source: Source = {}): (readonly [string, string | null | undefined])[] {
  return Symbol.iterator in source ? [...source] : Object.entries(source);
}

/**
 * Sets a header, or removes it if its value is null.
 * @throws {@link ConfigurationError} naming an invalid header. The message does not contain its value, which may be a
 * secret.
 */
export function setHeader(
  headers: Headers,
  name: string,
  value: string | null | undefined,
  facts: Partial<CallFacts>,
): void {
  try {
    if (value === null) headers.delete(name);
    else if (value !== undefined) headers.set(name, value);
  } catch {
    throw new ConfigurationError(`the header ${JSON.stringify(name)} has an invalid name or value.`, facts);
  }
}

/** Merges headers. A later one replaces an earlier one of the same name, and `null` removes it. */
export function mergeHeaders(facts: Partial<CallFacts>, ...sources: Source[]): Headers {
  const headers = new Headers();
  for (const source of sources) for (const [name, value] of entriesOf(source)) setHeader(headers, name, value, facts);
  return headers;
}
