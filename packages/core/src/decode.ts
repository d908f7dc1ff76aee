import { ApiError } from "./errors/api-error.ts";
import { malformed } from "#runtime";
import { jsonOf, reasonOf } from "./errors/response.ts";
import { codeNote, codeOf } from "./errors/code-of.ts";
import { DecodeError, StreamError } from "./errors/failures.ts";
import type { TrainyardError } from "./errors/trainyard-error.ts";
import type { Answer } from "./answer.ts";
import { redact, withoutKeys } from "./secret.ts";

/**
 * Decodes the JSON of a response. Text responses are not decoded; all other operations declare JSON, so a response without a
 * body is invalid, whatever its status says, except that of a DELETE, which has been performed. Only validators check all of
 * an answer. Without them, one that lacks some of its properties passes, unless it says an error instead.
 * @throws {@link ApiError} if the service reports an error behind a status of success.
 * @throws {@link DecodeError}. Neither message nor cause repeats the body.
 */
export function decode(answer: Answer): unknown {
  const { text, operation } = answer;
  const { needs, expects = needs } = operation;
  if (!text && operation.method === "DELETE") return undefined;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new DecodeError("JSON", answer, malformed(text));
  }
  if (expects) {
    const isList = Array.isArray(data);
    const given = isList ? {} : Object(data);
    const fits = expects.length ? expects.every((name) => name in given) : isList;
    if (!fits && given.error) throw reported(answer);
    if (!fits && needs && !(needs.length && given === data && Object.keys(given).length))
      throw new DecodeError("other JSON", answer);
  }
  return data;
}

/** The error of a success response that should be a stream and is not. A JSON body may say what failed. */
export function noStream(answer: Answer): TrainyardError {
  return Object(jsonOf(answer.text)).error ? reported(answer) : new DecodeError("a stream of events", answer);
}

/** The error that the body of a success reports. */
function reported(given: Answer): ApiError {
  const answer = withoutKeys(given);
  const body = jsonOf(answer.text);
  return new ApiError(answer, reasonOf(body) ?? "", body);
}

/** The error of a stream of events, from where it comes. Its cause, if any, names what broke. */
export function streamError(
  { facts, origin, keys }: Answer,
  what: string,
  cause?: unknown,
  code: string | undefined = codeOf(cause),
): StreamError {
  const message = `the stream from ${origin} ${what}${codeNote(cause)}${facts.progress?.() ?? ""}.`;
  return new StreamError(redact(message, keys), { ...facts, code }, cause ? { cause } : {});
}
