import * as core from "@trainyard/core";

const classes: Readonly<Record<number, typeof core.ApiError>> = {
  400: core.BadRequestError,
  401: core.UnauthorizedError,
  402: core.PaymentRequiredError,
  403: core.ForbiddenError,
  404: core.NotFoundError,
  409: core.ConflictError,
  413: core.ContentTooLargeError,
  422: core.UnprocessableError,
  429: core.RateLimitError,
  500: core.ServerError,
  503: core.ServerError,
};

/**
 * The error class of a status, by the contract.
 * @throws Error if this table has no class for the status
 */
export function errorClass(status: number): typeof core.ApiError {
  const found = classes[status];
  if (found === undefined) throw new Error(`No class of error is known for ${status}.`);
  return found;
}
