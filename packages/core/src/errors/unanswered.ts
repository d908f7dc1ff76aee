import type { Answer } from "../answer.ts";
import { redact } from "../secret.ts";
import { codeNote, codeOf } from "./code-of.ts";
import { ConfigurationError, ConnectionError } from "./failures.ts";
import type { CallFacts, TrainyardError } from "./trainyard-error.ts";

// Node's codes for a connection that was never made, and Deno's words. Browsers do not report it.
const neverMade =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$|client error \(Connect\)/;

/**
 * The error of a request without a response. It names what failed: the service, a proxy on the way to it, or the runtime.
 * Notes in `facts` if the service never received the request.
 * @param redirecting The address that redirects to `url`, if one does. Its service has received the request.
 */
export function unanswered(
  url: string,
  cause: unknown,
  facts: CallFacts,
  keys: Answer["keys"],
  redirecting?: string,
): TrainyardError {
  // Only the origin: a path may contain private names.
  const { origin } = new URL(url);
  const words: string[] = [];
  // The attempts to connect to several addresses of a name have one error each.
  for (let error = cause; error instanceof Error && words.push(error.message) < 8;)
    error = error.cause ?? Reflect.get(error, "errors")?.[0];
  const found = (pattern: RegExp): string => pattern.exec(words.join("\n"))?.[1] ?? "";
  const isBlocked = words.some((one) => /^bad port$|port \d+ (is|are) blocked/.test(one));
  // Versions 6 to 8 of undici say it in two ways, and only in messages.
  const status = found(/^Proxy \D+(\d+)/m);
  const isUnsent = isBlocked || status || neverMade.test(codeOf(cause) ?? words.join());
  if (!redirecting) {
    if (isBlocked) facts.attempts--;
    if (isUnsent) facts.outcomeUnknown = false;
  }
  // Node says what it connected to, or which name it looked up.
  const to = found(/^(?:connect|getaddrinfo) \w+ (\S+)/m);
  const way = !to || origin.endsWith(to) ? "" : `${to}, on the way to `;
  const what = isBlocked
    ? `${redirecting ? "" : "nothing was sent: "}the runtime blocks the port of `
    : status
      ? `the proxy answered ${status} instead of connecting to `
      : `${isUnsent ? "no connection to" : "no response from"} ${way}`;
  const via = redirecting ? `, to which ${redact(redirecting, keys)} redirects` : "";
  return new (isBlocked ? ConfigurationError : ConnectionError)(what + origin + via + codeNote(cause), facts, {
    cause,
  });
}
