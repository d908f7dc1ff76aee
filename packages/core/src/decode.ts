import { DecodeError } from "./errors/failures.ts";
import type { Answer } from "./exchange.ts";

/**
 * The JSON of an answer; `undefined` for a status that has no body.
 * @throws {@link DecodeError}. Neither message nor cause repeats the body.
 */
export function decode({ response, text, facts }: Answer): unknown {
  if (response.status === 204 || response.status === 205) return undefined;
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
