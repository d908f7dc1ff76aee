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
 * The class of a status, as the contract's readers know it.
 * @throws Error where the contract has no class for it: then this table lacks one
 */
export function errorClass(status: number): typeof core.ApiError {
  const found = classes[status];
  if (found === undefined) throw new Error(`No class of error is known for ${status}.`);
  return found;
}
