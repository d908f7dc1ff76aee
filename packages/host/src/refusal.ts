import { formatLoc, type Fault } from "@trainyard/core/validation";

/** Why a request is not answered as it wished. The body is written as the document writes its errors. */
export interface Refusal<Status extends number = number> {
  readonly refusal: Status;
  /** A sentence. Without it the document's own example speaks. */
  readonly message?: string | undefined;
  /** Said where there is neither a message nor an example. */
  readonly otherwise?: string | undefined;
  /** For programs, where the document's errors have room for it. Without it that of the document's example stays. */
  readonly code?: string | undefined;
  /** What is wrong with the request; places begin with the source. */
  readonly faults?: readonly Fault[] | undefined;
  /** Seconds until it is worth trying again. */
  readonly retryAfter?: number | undefined;
  /** Of the named examples of the declared response, the one that is meant, by a part of its name; else the first. */
  readonly example?: RegExp | undefined;
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

/**
 * Refuses a request that is not valid. Where a body has room for one fault alone, it is the first.
 *
 * @param code undefined keeps that of the document's example
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
