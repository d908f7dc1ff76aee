import { isJson } from "@trainyard/document";
import { messageOf, type WrittenError } from "./errors.ts";
import type { Example } from "./examples.ts";
import type { Refusal } from "./refusal.ts";
import { streamEvents } from "./streams.ts";

/** The header that names the document's example in a response. A response without it was computed. */
export const exampleHeader = "x-trainyard-example";

/** The headers of every response. */
export type CommonHeaders = Readonly<Record<string, string>>;

const reasons = new WeakMap<Response, string>();

/** The reason of an error response, as a sentence; undefined if it is not an error. */
export function reasonOf(response: Response): string | undefined {
  return reasons.get(response);
}

/** Creates an error response. */
export function refusalResponse(
  refusal: Refusal,
  { headers: shown, body }: WrittenError,
  common: CommonHeaders,
): Response {
  const { refusal: status, retryAfter } = refusal;
  const headers = withShown(common, shown);
  headers.set("Content-Type", "application/json");
  if (status === 401 && !headers.has("WWW-Authenticate")) headers.set("WWW-Authenticate", "Bearer");
  if (status === 501) headers.set("x-should-retry", "false");
  const isLater = status === 429 || status === 503;
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  else if (!isLater) headers.delete("Retry-After");
  else if (!headers.has("Retry-After")) headers.set("Retry-After", "1");
  const response = new Response(JSON.stringify(body), { status, headers });
  const reason = refusal.reason ?? refusal.message ?? messageOf(body) ?? refusal.otherwise;
  if (reason !== undefined) reasons.set(response, reason);
  return response;
}

/** Creates a response from an example of the document, with the header that says so. */
export function exampleResponse(
  { status, headers: shown, mediaType, body, name }: Example,
  common: CommonHeaders,
): Response {
  const headers = withShown(common, shown);
  headers.set(exampleHeader, encodeURIComponent(name));
  if (mediaType === undefined || body === undefined || status === 204 || status === 304) {
    return new Response(null, { status, headers });
  }
  headers.set("Content-Type", mediaType);
  if (typeof body !== "string" || isJson(mediaType)) return new Response(JSON.stringify(body), { status, headers });
  return new Response(mediaType.startsWith("text/event-stream") ? streamEvents(body) : body, { status, headers });
}

function withShown(common: CommonHeaders, shown: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(common);
  for (const [name, value] of Object.entries(shown)) headers.set(name, value);
  return headers;
}
