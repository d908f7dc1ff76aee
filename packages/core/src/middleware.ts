import type { Operation } from "./operation.ts";

/** A request as middleware sees it: without the key, which is added after the last of them. */
export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Headers;
  /** The body, as it is sent. */
  body: string | null;
  readonly signal: AbortSignal;
}

/** What middleware is told of an attempt. */
export interface MiddlewareContext {
  /** The name that people call: `models.checkpoints.list`. */
  readonly name: string;
  readonly operation: Operation;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The path parameters of the call, by name. */
  readonly pathParams: { readonly [name: string]: unknown };
}

/**
 * A function around each attempt. It may change the request, or pass on another; it may look at the response, or give
 * another back. If you read the body, return a new `Response`, or read a `clone()`. What it throws ends the call.
 */
export type Middleware = (
  request: OutgoingRequest,
  next: (request: OutgoingRequest) => Promise<Response>,
  context: MiddlewareContext,
) => Promise<Response>;

type Next = (request: OutgoingRequest) => Promise<Response>;

/** Puts functions around what sends, the first outermost. */
export function chain(middleware: readonly Middleware[], send: Next, context: MiddlewareContext): Next {
  return middleware.reduceRight<Next>((next, around) => async (request) => around(request, next, context), send);
}
