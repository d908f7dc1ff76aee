import { isObject } from "@trainyard/core/validation";
import { essenceOf, jsonText, mediaKind } from "@trainyard/document";
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
  { headers: shown, body, mediaType = "application/json" }: WrittenError,
  common: CommonHeaders,
): Response {
  const { refusal: status, retryAfter } = refusal;
  const headers = withShown(common, shown);
  headers.set("Content-Type", mediaType);
  if (status === 401 && !headers.has("WWW-Authenticate")) headers.set("WWW-Authenticate", "Bearer");
  if (status === 501) headers.set("x-should-retry", "false");
  const isLater = status === 429 || status === 503;
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  else if (!isLater) headers.delete("Retry-After");
  else if (!headers.has("Retry-After")) headers.set("Retry-After", "1");
  const isText = typeof body === "string" && mediaKind(mediaType) === "text";
  const response = new Response(isText ? body : JSON.stringify(body), { status, headers });
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
  if (mediaType === undefined || body === undefined || isBodiless(status)) {
    return new Response(null, { status, headers });
  }
  headers.set("Content-Type", mediaType);
  return new Response(written(mediaType, body), { status, headers });
}

/** Whether HTTP forbids a body for a status. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function written(mediaType: string, body: unknown): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const kind = mediaKind(mediaType);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (kind === "json") return jsonText(body);
  if (kind === "events") {
    const isFramed = typeof body === "string" && /^(data|event|id|retry)?:/m.test(body);
    const data = typeof body === "string" ? body.replaceAll("\n", "\ndata: ") : jsonText(body);
    return streamEvents(isFramed ? body : `data: ${data}\n\n`);
  }
  if (typeof body === "string") return body;
  return essenceOf(mediaType).endsWith("xml") ? xmlOf("root", body) : jsonText(body);
}

/** A value as elements of its properties. */
function xmlOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => xmlOf(name, item)).join("");
  if (isObject(value)) {
    return `<${name}>${Object.entries(value)
      .map(([key, member]) => xmlOf(key, member))
      .join("")}</${name}>`;
  }
  const text = typeof value === "string" ? value : value === null ? "" : jsonText(value);
  return `<${name}>${text.replaceAll(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)}</${name}>`;
}

function withShown(common: CommonHeaders, shown: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(common);
  for (const [name, value] of Object.entries(shown)) headers.set(name, value);
  return headers;
}
