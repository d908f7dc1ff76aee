import type {
  ApiError,
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  ForbiddenError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  UnprocessableError,
} from "./api-error.ts";
import type { ContractError } from "./contract-error.ts";
import type {
  AbortError,
  ConfigurationError,
  ConnectionError,
  DecodeError,
  StreamError,
  TimeoutError,
} from "./failures.ts";
import { TrainyardError } from "./trainyard-error.ts";

/** All errors of this package as a union, discriminated by `name`: a misspelled name in a `case` does not compile. */
export type AnyTrainyardError =
  | AbortError
  | BadRequestError
  | ConfigurationError
  | ConflictError
  | ConnectionError
  | ContentTooLargeError
  | ContractError
  | DecodeError
  | ForbiddenError
  | NotFoundError
  | PaymentRequiredError
  | RateLimitError
  | ServerError
  | StreamError
  | TimeoutError
  | UnauthorizedError
  | UnprocessableError
  | (ApiError & { readonly name: "ApiError" })
  | (TrainyardError & { readonly name: "TrainyardError" });

/** Whether a value is an error of this package, of any installed copy. */
export function isTrainyardError(value: unknown): value is AnyTrainyardError {
  return value instanceof TrainyardError;
}
