/** The errors of the services by status: the class that a client throws, and what a caller should do. */

export interface Failure {
  /** `404`, or `5xx` for all of them. */
  readonly status: string;
  /** The class of the error that a client throws. */
  readonly className: string;
  /** The cause, as a phrase of Markdown. */
  readonly cause: string;
  /** What to do, as sentences of Markdown. */
  readonly cure: string;
}

export const failures: readonly Failure[] = [
  {
    status: "400",
    className: "BadRequestError",
    cause: "Inference: the request is invalid. Auxiliary: a metric violates a limit.",
    cure: "Fix the field named in `error.message`. Inference also names the field in `param`.",
  },
  {
    status: "401",
    className: "UnauthorizedError",
    cause: "The key is missing or invalid.",
    cure: "Check the key, and which option or environment variable sets it.",
  },
  {
    status: "402",
    className: "PaymentRequiredError",
    cause: "The quota is used up.",
    cure: "Raise the quota, or wait for the next period.",
  },
  {
    status: "403",
    className: "ForbiddenError",
    cause: "The key has no access to the entity, the region or the gateway.",
    cure: "Use an entity that the key belongs to.",
  },
  {
    status: "404",
    className: "NotFoundError",
    cause: "The model, job or object does not exist, or the id is not a valid UUID.",
    cure: "Check the id. If `attempts` is above 1, an earlier attempt of a deletion may have succeeded.",
  },
  {
    status: "409",
    className: "ConflictError",
    cause:
      "The name exists, the newest checkpoint would be deleted, or the `Idempotency-Key` was used with another body.",
    cure: "Change the name, the steps or the key, or set `return_existing` to get the model that exists.",
  },
  {
    status: "413",
    className: "ContentTooLargeError",
    cause: "The body is too large or nested too deeply.",
    cure: "Send it in smaller parts.",
  },
  {
    status: "422",
    className: "UnprocessableError",
    cause: "Training and auxiliary: the request is invalid.",
    cure: "Fix the fields that `error.issues` names. It has one entry for each invalid place.",
  },
  {
    status: "429",
    className: "RateLimitError",
    cause: "Too many requests at once.",
    cure: "The client has already waited and retried. Send fewer requests at a time.",
  },
  {
    status: "5xx",
    className: "ServerError",
    cause: "The service failed.",
    cure: "Look at `outcomeUnknown` before you retry. If you ask for help, include `requestId`.",
  },
];

/** The entry for a status of a document; undefined if clients have no class for it. */
export function failureOf(status: string): Failure | undefined {
  return failures.find((one) => one.status === status || one.status === `${status[0]}xx`);
}
