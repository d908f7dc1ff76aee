import { DecodeError } from "./errors/failures.ts";
import type { Answer } from "./exchange.ts";

/**
 * The JSON of an answer. Each operation declares one, so an answer without a body is none that the types promise, whatever
 * its status says.
 * @throws {@link DecodeError}. Neither message nor cause repeats the body.
 */
export function decode({ response, text, facts }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DecodeError("JSON", facts, response);
  }
}

/** The body of an error: its JSON, else its text, `undefined` where there is none. */
export function decodeError({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}
