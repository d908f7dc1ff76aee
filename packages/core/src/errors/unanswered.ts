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
 */
export function unanswered(url: string, cause: unknown, facts: CallFacts, keys: Answer["keys"]): TrainyardError {
  // A redirect that is not followed. Its address may repeat the key.
  if (cause instanceof ConfigurationError) return new ConfigurationError(redact(cause.message, keys), facts);
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
  if (isBlocked) facts.attempts--;
  if (isUnsent) facts.outcomeUnknown = false;
  // Node says what it connected to, or which name it looked up.
  const to = found(/^(?:connect|getaddrinfo) \w+ (\S+)/m);
  const way = !to || origin.endsWith(to) ? "" : `${to}, on the way to `;
  const what = isBlocked
    ? "nothing was sent: the runtime blocks the port of "
    : status
      ? `the proxy answered ${status} instead of connecting to `
      : `${isUnsent ? "no connection to" : "no response from"} ${way}`;
  return new (isBlocked ? ConfigurationError : ConnectionError)(what + origin + codeNote(cause), facts, { cause });
}
