import { isJson } from "@trainyard/document";
import { isLoopback, isPreflight, originHeaders, preflightHeaders } from "@trainyard/host";
import type { Answer } from "./answers.ts";
import type { Incoming, Service } from "./service.ts";
import { streamEvents } from "./streams.ts";

/** Answers a request. Rejects with the signal's reason when the request is aborted, with `Disconnect` when a test wants that. */
export type Handler = (request: Incoming) => Promise<Response>;

/**
 * Puts services behind one address: each under the path of its document's first server. A path goes to the service with
 * the longest fitting path that knows it.
 */
export function createFront(services: readonly Service[]): Handler {
  const ordered = services.toSorted((a, b) => b.prefix.length - a.prefix.length);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const fitting = ordered.filter(({ prefix }) => pathname === prefix || pathname.startsWith(`${prefix}/`));
    const service = fitting.find((s) => s.route(pathname.slice(s.prefix.length))) ?? fitting[0];
    const path = pathname.slice(service?.prefix.length ?? 0);
    const methods = service?.route(path)?.allow;
    let response: Response;
    if (methods && isPreflight(request.method, request.headers)) {
      response = new Response(null, { status: 204, headers: preflightHeaders(request.headers, methods, isLoopback) });
    } else if (service) response = toResponse(await service.answer(request, path), request.method);
    else response = Response.json({ detail: `There is no service at ${pathname}.` }, { status: 404 });
    response.headers.set("x-request-id", `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`);
    const { Vary, ...others } = originHeaders(request.headers, isLoopback);
    response.headers.append("Vary", Vary);
    for (const [name, value] of Object.entries(others)) response.headers.set(name, value);
    return response;
  };
}

function toResponse({ status, headers, body, text }: Answer, method: string): Response {
  const init = { status, headers };
  if (method === "HEAD" || status === 204 || status === 304) return new Response(null, init);
  if (text !== undefined) return new Response(text, init);
  if (body === undefined) return new Response(null, init);
  const type = headers.get("content-type") ?? "";
  if (typeof body === "string" && type.startsWith("text/event-stream")) return new Response(streamEvents(body), init);
  return new Response(typeof body === "string" && !isJson(type) ? body : JSON.stringify(body), init);
}
