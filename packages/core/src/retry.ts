import { codeOf } from "./errors/code-of.ts";
import { longestWait, retryAfter } from "./hints.ts";
import type { Operation } from "./operation.ts";

// Node's codes for a connection that was never made. Other runtimes do not report it.
const neverMadeCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whether the failure proves that the service never received the request. */
export function neverMade(failure: unknown): boolean {
  return neverMadeCodes.test(codeOf(failure) ?? "");
}

/** Whether an operation may be retried when its outcome is unknown. */
export function mayResend({ resend }: Operation, headers: Headers): boolean {
  return resend === "always" || (resend === "with-key" && headers.has("idempotency-key"));
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

/** Milliseconds before the retry after a response. `undefined` if there is no retry. */
export function delayAfter(response: Response, resend: boolean, attempt: number): number | undefined {
  const { status, headers } = response;
  const retryAfterMs = retryAfter(headers);
  const advice = headers.get("x-should-retry");
  // With a key, a 409 that says how long to wait means that the first attempt is still running.
  const underWay = status === 409 && retryAfterMs !== undefined && headers.has("retry-after");
  const again = status === 429 || (resend && (advice === "true" || underWay || leavesOpen(status)));
  if (!again || advice === "false" || (retryAfterMs ?? 0) > longestWait) return undefined;
  return retryAfterMs ?? backoff(attempt);
}
