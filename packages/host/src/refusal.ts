import { formatLoc, type Fault } from "@trainyard/core/validation";

/** Why a request is rejected. The body has the form of the document's errors. */
export interface Refusal<Status extends number = number> {
  readonly refusal: Status;
  /** A sentence. Default: the message of the document's example. */
  readonly message?: string | undefined;
  /** What the log says instead of the message: it may name what callers must not learn. */
  readonly reason?: string | undefined;
  /** Used if there is neither a message nor an example. */
  readonly otherwise?: string | undefined;
  /** The error code, if the document's errors have one. Default: that of the document's example. */
  readonly code?: string | undefined;
  /** The faults of the request; paths begin with the source. */
  readonly faults?: readonly Fault[] | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number | undefined;
  /** Selects a named example of the declared response by a part of its name. Default: the first. */
  readonly example?: RegExp | undefined;
}

/** Rejects a request. */
export function refuse<Status extends number>(
  refusal: Status,
  message: string,
  details: Omit<Refusal, "refusal" | "message"> = {},
): Refusal<Status> {
  return { refusal, message, ...details };
}

/** Rejects a request that its schema allows, for one fault. */
export function refuseFault<Status extends number>(
  refusal: Status,
  loc: Fault["loc"],
  msg: string,
  type: Fault["type"] = "value_error",
): Refusal<Status> {
  return refuseFaults(refusal, [{ loc, msg, type }]);
}

/**
 * Rejects an invalid request. If the body has room for only one fault, the first is used.
 *
 * @param code undefined keeps the code of the document's example
 */
export function refuseFaults<Status extends number>(
  refusal: Status,
  faults: readonly Fault[],
  code: string | undefined = "invalid_value",
): Refusal<Status> {
  const [first] = faults;
  // These two sentences name the property themselves.
  const isNamed = first?.type === "missing" || first?.type === "extra_forbidden";
  const path = formatLoc(first?.loc.slice(1, isNamed ? -1 : undefined) ?? []);
  const message = path === "" ? (first?.msg ?? "The request is not valid.") : `${path}: ${first?.msg}`;
  return { refusal, message, faults, code };
}
