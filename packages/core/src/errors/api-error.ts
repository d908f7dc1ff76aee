import { requestIdOf } from "./request-id.ts";
import { type CallFacts, type ErrorJson, TrainyardError } from "./trainyard-error.ts";

/** What an {@link ApiError} is made of. */
export interface ErrorAnswer {
  readonly response: Response;
  /** The body: decoded where it is JSON, else its text; `undefined` where there is none. */
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
}

/**
 * The service answered with an error. Its class follows its status.
 *
 * What to do: look at `status` and `message`; give `requestId` to the service's people.
 */
export class ApiError extends TrainyardError {
  override get name(): string {
    return "ApiError";
  }
  /** The status of HTTP. */
  readonly status: number;
  /** The header `x-request-id`: name it when you ask the service's people. */
  readonly requestId: string | undefined;
  /** Milliseconds that the service asked to wait, from `retry-after-ms` or `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  // Private, because answers may repeat what was sent: shown on request, never by `console.log` or a log.
  readonly #answer: ErrorAnswer;

  constructor(message: string, facts: CallFacts, answer: ErrorAnswer) {
    super(message, facts);
    this.status = answer.response.status;
    this.requestId = requestIdOf(answer.response);
    this.retryAfterMs = answer.retryAfterMs;
    this.#answer = answer;
  }

  /** The code in the body: `code` of its `error`, or its own. */
  override get code(): string | undefined {
    const { error, code } = members(this.body);
    return [members(error).code, code].find((one) => typeof one === "string");
  }

  /** The headers of the answer. */
  get headers(): Headers {
    return this.#answer.response.headers;
  }

  /** The body of the answer: decoded where it is JSON, else its text; `undefined` where there is none. */
  get body(): unknown {
    return this.#answer.body;
  }
}

/**
 * 400: the service refuses the request as it is.
 *
 * What to do: mend the request, as `message` says.
 */
export class BadRequestError extends ApiError {
  override get name(): "BadRequestError" {
    return "BadRequestError";
  }
}

/**
 * 401: the key is missing or wrong.
 *
 * What to do: look at `apiKey`, and whether `baseUrl` is the service that gave it.
 */
export class UnauthorizedError extends ApiError {
  override get name(): "UnauthorizedError" {
    return "UnauthorizedError";
  }
}

/**
 * 402: the quota is used up.
 *
 * What to do: raise it, or wait until it is renewed.
 */
export class PaymentRequiredError extends ApiError {
  override get name(): "PaymentRequiredError" {
    return "PaymentRequiredError";
  }
}

/**
 * 403: the key may not do this.
 *
 * What to do: use a key that may.
 */
export class ForbiddenError extends ApiError {
  override get name(): "ForbiddenError" {
    return "ForbiddenError";
  }
}

/**
 * 404: what the call names does not exist. After `attempts` above 1, a deletion may itself have removed it.
 *
 * What to do: look at the id. Of a deletion with `attempts` above 1, take it for done.
 */
export class NotFoundError extends ApiError {
  override get name(): "NotFoundError" {
    return "NotFoundError";
  }
}

/**
 * 409: it collides with what exists, or with a call under way.
 *
 * What to do: read what exists, and decide; where `retryAfterMs` is told, ask again then.
 */
export class ConflictError extends ApiError {
  override get name(): "ConflictError" {
    return "ConflictError";
  }
}

/**
 * 413: the body is too large or too deep.
 *
 * What to do: send it in smaller parts.
 */
export class ContentTooLargeError extends ApiError {
  override get name(): "ContentTooLargeError" {
    return "ContentTooLargeError";
  }
}

/** One fault of a request, as the service names it. */
export interface Issue {
  /** Where: the source (`body`, `query`, `path`, `header`), then the path in it. */
  loc: (string | number)[];
  msg: string;
  type: string;
}

/**
 * 422: the request fails validation.
 *
 * What to do: mend what `issues` names; a client with `validators` finds it before it is sent.
 */
export class UnprocessableError extends ApiError {
  override get name(): "UnprocessableError" {
    return "UnprocessableError";
  }

  /** The faults that the service names; empty where it names none. */
  get issues(): Issue[] {
    return issuesOf(this.body);
  }

  override toJSON(): ErrorJson {
    // Without `input`, the value that was sent.
    return { ...super.toJSON(), issues: this.issues.map(({ loc, msg, type }) => ({ loc, msg, type })) };
  }
}

/**
 * 429: too much at once. `retryAfterMs` says when to come back, where the service does.
 *
 * What to do: wait that long, and ask less at a time.
 */
export class RateLimitError extends ApiError {
  override get name(): "RateLimitError" {
    return "RateLimitError";
  }
}

/**
 * 500 and above: the service failed.
 *
 * What to do: where `outcomeUnknown`, look first whether it was done; else ask again later, after `retryAfterMs` where
 * it is told.
 */
export class ServerError extends ApiError {
  override get name(): "ServerError" {
    return "ServerError";
  }
}

function isIssue(value: unknown): value is Issue {
  const { loc, msg, type } = members(value);
  return (
    Array.isArray(loc) &&
    loc.every((step) => typeof step === "string" || typeof step === "number") &&
    typeof msg === "string" &&
    type !== undefined
  );
}

/** The faults in the body of a 422. */
export function issuesOf(body: unknown): Issue[] {
  const { detail } = members(body);
  return Array.isArray(detail) ? detail.filter(isIssue) : [];
}

/** The members of what came as JSON; none where it is no object. */
export function members(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" ? { ...value } : {};
}
