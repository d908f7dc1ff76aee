import { formatLoc, type Fault } from "@trainyard/core/validation";

/** The codes of the host's own errors. The contract of a document whose errors have codes declares all of them. */
export const hostCodes = [
  "content_too_large",
  "headers_too_large",
  "insufficient_scope",
  "internal_error",
  "invalid_api_key",
  "invalid_value",
  "json_invalid",
  "method_not_allowed",
  "missing_api_key",
  "not_implemented",
  "rate_limit_exceeded",
  "unavailable",
  "unknown_url",
  "unreadable",
  "unsupported_media_type",
] as const;
/** A code of the host's own errors. */
export type HostCode = (typeof hostCodes)[number];

/** Why a request is rejected. The body has the form of the document's errors. */
export interface Refusal<Status extends number = number, Code extends string = string> {
  readonly refusal: Status;
  /** A sentence. Default: the message of the document's example. */
  readonly message?: string | undefined;
  /** What the log says instead of the message: it may name what callers must not learn. */
  readonly reason?: string | undefined;
  /** Used if there is neither a message nor an example. */
  readonly otherwise?: string | undefined;
  /** The error code, if the document's errors have one. Default: that of the document's example. */
  readonly code?: Code | undefined;
  /** The faults of the request; paths begin with the source. */
  readonly faults?: readonly Fault[] | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number | undefined;
  /** Selects a named example of the declared response by a part of its name. Default: the first. */
  readonly example?: RegExp | undefined;
}

/** Rejects a request. */
export function refuse<Status extends number, Code extends string = never>(
  refusal: Status,
  message: string,
  details: Omit<Refusal<Status, Code>, "refusal" | "message"> = {},
): Refusal<Status, Code> {
  return { refusal, message, ...details };
}

/** Rejects a request that its schema allows, for one fault. */
export function refuseFault<Status extends number>(
  refusal: Status,
  loc: Fault["loc"],
  msg: string,
  type: Fault["type"] = "value_error",
): Refusal<Status, HostCode> {
  return refuseFaults(refusal, [{ loc, msg, type }]);
}

/** Rejects an invalid request. If the body has room for only one fault, the first is used. */
export function refuseFaults<Status extends number>(
  refusal: Status,
  faults: readonly Fault[],
  code: HostCode = "invalid_value",
): Refusal<Status, HostCode> {
  const [first] = faults;
  // These two sentences name the property themselves.
  const isNamed = first?.type === "missing" || first?.type === "extra_forbidden";
  const path = formatLoc(first?.loc.slice(1, isNamed ? -1 : undefined) ?? []);
  const message = path === "" ? (first?.msg ?? "The request is not valid.") : `${path}: ${first?.msg}`;
  return { refusal, message, faults, code };
}
