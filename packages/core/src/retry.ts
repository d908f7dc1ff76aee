import { codeOf } from "./errors/code-of.ts";
import { longestWait, retryAfter } from "./hints.ts";
import type { Operation } from "./operation.ts";

// What Node reports where no connection came about. Other runtimes cannot tell.
const neverMadeCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whether a failure of `fetch` says that the service never saw the request. */
export function neverMade(failure: unknown): boolean {
  return neverMadeCodes.test(codeOf(failure) ?? "");
}

/** Whether an operation may be sent again when nobody knows if it was carried out. */
export function mayResend({ resend }: Operation, headers: Headers): boolean {
  return resend === "always" || (resend === "with-key" && headers.has("idempotency-key"));
}

/** Whether a status leaves open what the service did. */
export function leavesOpen(status: number): boolean {
  return status === 408 || status >= 500;
}

/** Milliseconds before attempt `attempt` + 1 where the service asks for none: 0.5 s, doubled to 8 s, less up to a quarter. */
export function backoff(attempt: number): number {
  return Math.min(500 * 2 ** (attempt - 1), 8000) * (1 - Math.random() / 4);
}

/** Milliseconds before an answer's operation is sent again, or `undefined` where it is not. */
export function delayAfter(response: Response, resend: boolean, attempt: number): number | undefined {
  const { status, headers } = response;
  const told = retryAfter(headers);
  const advice = headers.get("x-should-retry");
  // With a key, 409 and a time say that the first attempt is still under way.
  const underWay = status === 409 && told !== undefined && headers.has("retry-after");
  const again = status === 429 || (resend && (advice === "true" || underWay || leavesOpen(status)));
  if (!again || advice === "false" || (told ?? 0) > longestWait) return undefined;
  return told ?? backoff(attempt);
}
