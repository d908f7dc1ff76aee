import { retryAfter } from "../hints.ts";
import { codeIn, issuesOf, type Issue } from "./response.ts";
import { type CallFacts, type ErrorJson, TrainyardError } from "./trainyard-error.ts";

/** The parts of an answer that an {@link ApiError} has. */
interface ErrorAnswer {
  readonly response: Response;
  readonly facts: CallFacts;
}

/**
 * The service answered with an error. Its class follows its status. An error in the body of a success is an error too.
 *
 * What to do: read `status` and `message`. If you ask the owner of the service for help, give them `requestId`.
 */
export class ApiError extends TrainyardError {
  override get name(): string {
    return "ApiError";
  }
  /** The HTTP status. */
  declare readonly status: number;
  /** Milliseconds to wait before a retry, from `retry-after-ms` or `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  // Private, because a response may repeat the request: available to code, but never printed by `console.log` or a logger.
  readonly #headers: Headers;
  readonly #body: unknown;

  constructor({ response, facts }: ErrorAnswer, reason: string, body: unknown) {
    super(`answered ${response.status}${reason && `: ${reason}`}`, { ...facts, response, code: codeIn(body) });
    this.retryAfterMs = retryAfter(response.headers);
    this.#headers = response.headers;
    this.#body = body;
  }

  /** The headers of the response. */
  get headers(): Headers {
    return this.#headers;
  }

  /** The body of the response: decoded if it is JSON, else its text; `undefined` if it is empty. */
  get body(): unknown {
    return this.#body;
  }
}

/**
 * 400: the request is invalid.
 *
 * What to do: fix what `message` names.
 */
export class BadRequestError extends ApiError {
  override get name(): "BadRequestError" {
    return "BadRequestError";
  }
}

/**
 * 401: the key is missing or invalid.
 *
 * What to do: check `apiKey`, and whether it belongs to the service at `baseUrl`.
 */
export class UnauthorizedError extends ApiError {
  override get name(): "UnauthorizedError" {
    return "UnauthorizedError";
  }
}

/**
 * 402: the quota is used up.
 *
 * What to do: raise the quota, or wait until it is renewed.
 */
export class PaymentRequiredError extends ApiError {
  override get name(): "PaymentRequiredError" {
    return "PaymentRequiredError";
  }
}

/**
 * 403: the key does not permit this.
 *
 * What to do: use a key with the permission.
 */
export class ForbiddenError extends ApiError {
  override get name(): "ForbiddenError" {
    return "ForbiddenError";
  }
}

/**
 * 404: something that the call names does not exist. If a deletion was retried (`attempts` above 1), its first attempt
 * may have deleted it.
 *
 * What to do: check the id. If a deletion was retried, treat it as done.
 */
export class NotFoundError extends ApiError {
  override get name(): "NotFoundError" {
    return "NotFoundError";
  }
}

/**
 * 409: the request conflicts with something that exists, or with a request that is still being processed.
 *
 * What to do: read what exists, and decide. If `retryAfterMs` is set, retry after that time.
 */
export class ConflictError extends ApiError {
  override get name(): "ConflictError" {
    return "ConflictError";
  }
}

/**
 * 413: the body is too large or too deep.
 *
 * What to do: split it into several requests.
 */
export class ContentTooLargeError extends ApiError {
  override get name(): "ContentTooLargeError" {
    return "ContentTooLargeError";
  }
}

/**
 * 422: the request is invalid.
 *
 * What to do: fix the fields in `issues`. A client with `validators` finds them before it sends the request.
 */
export class UnprocessableError extends ApiError {
  override get name(): "UnprocessableError" {
    return "UnprocessableError";
  }

  /** The issues that the service reports. Empty if it reports none. */
  get issues(): Issue[] {
    return issuesOf(this.body);
  }

  override toJSON(): ErrorJson {
    // Drop `input`, which repeats the value that was sent.
    return { ...super.toJSON(), issues: this.issues.map(({ loc, msg, type }) => ({ loc, msg, type })) };
  }
}

/**
 * 429: too many requests. `retryAfterMs` says how long to wait, if the service says so.
 *
 * What to do: wait that long, and send fewer requests at a time.
 */
export class RateLimitError extends ApiError {
  override get name(): "RateLimitError" {
    return "RateLimitError";
  }
}

/**
 * 500 and above: the service failed.
 *
 * What to do: retry later, after `retryAfterMs` if it is set. If `outcomeUnknown` is true, check first whether the request was
 * processed.
 */
export class ServerError extends ApiError {
  override get name(): "ServerError" {
    return "ServerError";
  }
}
