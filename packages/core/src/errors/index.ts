export { type AnyTrainyardError, isTrainyardError } from "./any-error.ts";
export { ContractError } from "./contract-error.ts";
export {
  ApiError,
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  ForbiddenError,
  type Issue,
  NotFoundError,
  PaymentRequiredError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  UnprocessableError,
} from "./api-error.ts";
export { AbortError, ConfigurationError, ConnectionError, DecodeError, StreamError, TimeoutError } from "./failures.ts";
export { type ErrorJson, TrainyardError } from "./trainyard-error.ts";
