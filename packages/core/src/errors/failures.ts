import { requestIdOf } from "./request-id.ts";
import { type CallFacts, TrainyardError } from "./trainyard-error.ts";

/**
 * An option or an argument is missing or wrong. Where `attempts` is 0, nothing was sent.
 *
 * What to do: fix what `message` names.
 */
export class ConfigurationError extends TrainyardError {
  override get name(): "ConfigurationError" {
    return "ConfigurationError";
  }
}

/**
 * No connection, or one that broke before the answer was whole. `cause` has what the runtime said.
 *
 * What to do: look at `cause`, `baseUrl` and the network; where `outcomeUnknown`, whether it was done, before you send
 * it again.
 */
export class ConnectionError extends TrainyardError {
  override get name(): "ConnectionError" {
    return "ConnectionError";
  }
}

/**
 * A limit of time was reached: `timeoutMs`, `totalTimeoutMs`, or a silence in a stream.
 *
 * What to do: give it more time, or ask for less; where `outcomeUnknown`, look first whether it was done.
 */
export class TimeoutError extends TrainyardError {
  override get name(): "TimeoutError" {
    return "TimeoutError";
  }
}

/**
 * The call's signal ended it. `cause` has the signal's reason.
 *
 * What to do: nothing: you asked for it. Where `outcomeUnknown`, it may still have been done.
 */
export class AbortError extends TrainyardError {
  override get name(): "AbortError" {
    return "AbortError";
  }
}

/**
 * A stream broke, ended too early, held what is no event, or said itself that it failed.
 *
 * What to do: ask again. What came before it is a part, and no answer.
 */
export class StreamError extends TrainyardError {
  override get name(): "StreamError" {
    return "StreamError";
  }
}

/**
 * The service answered with success, but not with what was expected: no JSON, no page, no stream.
 *
 * What to do: look at `baseUrl`, and at what stands between: a proxy, a sign-in page. Where `outcomeUnknown`, it may have
 * been done.
 */
export class DecodeError extends TrainyardError {
  override get name(): "DecodeError" {
    return "DecodeError";
  }
  /** The status of the answer. */
  readonly status: number;
  /** The header `x-request-id`. */
  readonly requestId: string | undefined;

  /** @param expected What the answer was to be: JSON, a page, a stream of events. */
  constructor(expected: string, { facts, response, text }: DecodedAnswer) {
    const { status } = response;
    super(`answered ${status} with ${kindOf(response, text)}, where ${expected} was expected`, facts);
    this.status = status;
    this.requestId = requestIdOf(response);
  }
}

interface DecodedAnswer {
  readonly facts: CallFacts;
  readonly response: Response;
  readonly text: string;
}

/** What a body is, without a word of it: `text/html, 53 bytes`. */
export function kindOf({ headers }: Response, text: string): string {
  const type = headers.get("content-type")?.split(";")[0];
  return `${type || "no content-type"}, ${new Blob([text]).size} bytes`;
}
