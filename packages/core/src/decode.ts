import { members } from "./errors/api-error.ts";
import { DecodeError, StreamError } from "./errors/failures.ts";
import { messageOf } from "./errors/api-error-of.ts";
import type { TrainyardError } from "./errors/trainyard-error.ts";
import type { Answer } from "./exchange.ts";

/**
 * The JSON of an answer. Operations whose answer is text are not decoded; all others declare JSON, so that an answer without a
 * body is invalid, whatever its status says.
 * @throws {@link DecodeError}. Neither message nor cause repeats the body.
 */
export function decode(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new DecodeError("JSON", answer);
  }
}

/** The error of a successful answer that is no stream. As JSON it may say what failed, whatever its status. */
export function noStream(answer: Answer): TrainyardError {
  const { facts } = answer;
  const body = jsonOf(answer.text);
  const said = members(body).error ? messageOf(body) : undefined;
  return said === undefined
    ? new DecodeError("a stream of events", answer)
    : new StreamError(`the stream failed: ${said}`, facts);
}

/** What a text says: its JSON, else itself, `undefined` where it is empty. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}
