import { bodyKind } from "./response.ts";
import { type CallFacts, TrainyardError } from "./trainyard-error.ts";

/**
 * An option or an argument is missing or invalid, the runtime blocks the port, a middleware or `fetch` has read the body of
 * its response, or the service answers with a redirect that the client does not follow. If `attempts` is 0, nothing was sent.
 *
 * What to do: fix what `message` names.
 */
export class ConfigurationError extends TrainyardError {
  override get name(): "ConfigurationError" {
    return "ConfigurationError";
  }
}

/**
 * The connection could not be made, or broke before the response was complete. `cause` has the error of the runtime.
 *
 * What to do: check `cause`, `baseUrl` and the network. If `outcomeUnknown` is true, check whether the request was
 * processed before you retry it.
 */
export class ConnectionError extends TrainyardError {
  override get name(): "ConnectionError" {
    return "ConnectionError";
  }
}

/**
 * A time limit was reached: `timeoutMs`, `totalTimeoutMs`, or the time without a new chunk of a stream.
 *
 * What to do: raise the limit, or request less. If `outcomeUnknown` is true, check first whether the request was processed.
 */
export class TimeoutError extends TrainyardError {
  override get name(): "TimeoutError" {
    return "TimeoutError";
  }
}

/**
 * Your signal aborted the call. `cause` has its reason.
 *
 * What to do: nothing. If `outcomeUnknown` is true, the request may still have been processed.
 */
export class AbortError extends TrainyardError {
  override get name(): "AbortError" {
    return "AbortError";
  }
}

/**
 * A stream broke, ended too early, contained something that is not an event, or reported an error. `status` and `requestId`
 * are those of its response.
 *
 * What to do: retry. What you received so far, which is `partial`, is not a complete answer.
 */
export class StreamError extends TrainyardError {
  override get name(): "StreamError" {
    return "StreamError";
  }
}

/**
 * The response has a success status, but its body is not the expected JSON, page or stream.
 *
 * What to do: check `baseUrl`, and whether a proxy or a sign-in page answered. If `outcomeUnknown` is true, the request
 * may have been processed.
 */
export class DecodeError extends TrainyardError {
  override get name(): "DecodeError" {
    return "DecodeError";
  }
  declare readonly status: number;

  /**
   * @param expected The expected kind of response: JSON, a page, a stream of events.
   * @param fault Where the body is malformed.
   */
  constructor(expected: string, { facts, response, text }: DecodedAnswer, fault = "") {
    super(`answered ${response.status} with ${bodyKind(response, text)}${fault}, where ${expected} was expected`, {
      ...facts,
      response,
    });
  }
}

interface DecodedAnswer {
  readonly facts: CallFacts;
  readonly response: Response;
  readonly text: string;
}
