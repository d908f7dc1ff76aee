import { formatLoc, type Fault } from "@trainyard/core/validation";

/** Why a request is not answered as it wished. The body is written as the service writes its errors. */
export interface Refusal<Status extends number = number> {
  readonly refusal: Status;
  /** A sentence. */
  readonly message: string;
  /** For programs, where the service's errors have room for it. */
  readonly code?: string | undefined;
  /** What is wrong with the request; places begin with the source. */
  readonly faults?: readonly Fault[] | undefined;
  /** Seconds until it is worth trying again. */
  readonly retryAfter?: number | undefined;
  /** The methods that a path takes (405). */
  readonly allow?: readonly string[] | undefined;
}

/** Refuses a request. */
export function refuse<Status extends number>(
  refusal: Status,
  message: string,
  more: Omit<Refusal, "refusal" | "message"> = {},
): Refusal<Status> {
  return { refusal, message, ...more };
}

/** Refuses a request that its schema allows, for one fault. */
export function refuseFault<Status extends number>(
  refusal: Status,
  loc: Fault["loc"],
  msg: string,
  type: Fault["type"] = "value_error",
): Refusal<Status> {
  return refuseFaults(refusal, [{ loc, msg, type }]);
}

/** Refuses a request that is not valid. Where a body has room for one fault alone, it is the first. */
export function refuseFaults<Status extends number>(
  refusal: Status,
  faults: readonly Fault[],
  code = "invalid_value",
): Refusal<Status> {
  const [first] = faults;
  const path = formatLoc(first?.loc.slice(1) ?? []);
  const message = path === "" ? (first?.msg ?? "The request is not valid.") : `${path}: ${first?.msg}`;
  return { refusal, message, faults, code };
}
