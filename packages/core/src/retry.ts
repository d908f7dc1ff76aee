import { ConnectionError, TimeoutError } from "./errors/failures.ts";
import { jsonOf } from "./errors/response.ts";
import { longestWait, retryAfter } from "./hints.ts";
import type { Operation } from "./operation.ts";

/** Whether an operation may be retried when its outcome is unknown. */
export function mayResend(
  {
    method,
    resend = /^(GET|PUT|DELETE|OPTIONS|HEAD|TRACE|QUERY)$/.test(method) ? "always" : "never",
    alwaysIf,
  }: Operation,
  headers: Headers,
  body: string | null,
): boolean {
  return (
    resend === "always" ||
    (resend === "with-key" && headers.has("idempotency-key")) ||
    // Only a condition costs a parse of the body.
    (!!alwaysIf && Object.entries(alwaysIf).every(([name, value]) => Object(jsonOf(body ?? ""))[name] === value))
  );
}

/** Whether the outcome of the request is unknown after this status. */
export function leavesOpen(status: number): boolean {
  return status === 408 || status >= 500;
}

/**
 * Milliseconds before attempt `attempt` + 1 if the service does not specify a wait: 0.5 s, doubled up to 8 s, minus up to a
 * quarter.
 */
export function backoff(attempt: number): number {
  return Math.min(500 * 2 ** (attempt - 1), 8000) * (1 - Math.random() / 4);
}

/** An attempt of a call. */
export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** Milliseconds to wait before it. */
  readonly delayMs?: number;
  /** How many retries may follow it. */
  readonly left: number;
  /** Whether a 401 is retried as well, because a function may return another key. */
  readonly renews: boolean;
}

/** How an attempt failed: with a response, or with an error. */
export interface Outcome {
  readonly response?: Response;
  readonly error?: unknown;
}

/**
 * The attempt that follows a failed one. `undefined` if none does.
 * @param resend Whether the request may be sent again when its outcome is unknown.
 * @param msLeft Milliseconds until the limit of the whole call.
 */
export function next(
  { number, left, renews }: Attempt,
  { response, error }: Outcome,
  resend: boolean,
  msLeft: number,
): Attempt | undefined {
  const isRenewal = renews && response?.status === 401;
  let delayMs = Infinity;
  if (isRenewal) delayMs = 0;
  else if (left > 0 && response) delayMs = delayAfter(response, resend, number);
  else if (left > 0 && (error instanceof ConnectionError || error instanceof TimeoutError) && !error.outcomeUnknown)
    delayMs = backoff(number);
  if (delayMs >= msLeft) return undefined;
  return { number: number + 1, delayMs, left: isRenewal ? left : left - 1, renews: renews && !isRenewal };
}

/** Milliseconds before the retry after a response. `Infinity` if it allows none. */
function delayAfter({ status, headers }: Response, resend: boolean, attempt: number): number {
  const retryAfterMs = retryAfter(headers);
  const advice = headers.get("x-should-retry");
  // With a key, a 409 that says how long to wait means that the first attempt is still running.
  const wait = headers.get("retry-after");
  const underWay = status === 409 && wait && (retryAfterMs !== undefined || wait.includes(":"));
  const again = status === 429 || (resend && (advice === "true" || underWay || leavesOpen(status)));
  if (!again || advice === "false" || (retryAfterMs ?? 0) > longestWait) return Infinity;
  return retryAfterMs ?? backoff(attempt);
}
