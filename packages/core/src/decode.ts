import { jsonOf, members, messageOf } from "./errors/response.ts";
import { DecodeError, StreamError } from "./errors/failures.ts";
import type { TrainyardError } from "./errors/trainyard-error.ts";
import type { Answer } from "./answer.ts";

/**
 * Decodes the JSON of a response. Text responses are not decoded; all other operations declare JSON, so a response without a
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

/** The error of a success response that should be a stream and is not. A JSON body may say what failed. */
export function noStream(answer: Answer): TrainyardError {
  const { facts } = answer;
  const body = jsonOf(answer.text);
  const message = members(body).error ? messageOf(body) : undefined;
  return message === undefined
    ? new DecodeError("a stream of events", answer)
    : new StreamError(`the stream failed: ${message}`, facts);
}
