import type { Operation } from "./operation.ts";

/** A request as middleware sees it: without the key, which is added after the last middleware. */
export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Headers;
  /** The body as it is sent. `null` if there is none, or if it is bytes; text replaces them. */
  body: string | null;
  readonly signal: AbortSignal;
}

/** Describes the attempt to a middleware. */
export interface MiddlewareContext {
  /** The name of the operation, as in `models.checkpoints.list`. */
  readonly name: string;
  readonly operation: Operation;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The path parameters of the call, by name. */
  readonly pathParams: { readonly [name: string]: unknown };
}

/**
 * A function around each attempt. It may change or replace the request, and inspect or replace the response. If you read
 * the body, return a new `Response`, or read a `clone()`. If it throws, the call fails: with
 * that error if it is a {@link TrainyardError}, else with one whose `cause` it is.
 */
export type Middleware = (
  request: OutgoingRequest,
  next: (request: OutgoingRequest) => Promise<Response>,
  context: MiddlewareContext,
) => Promise<Response>;

type Next = (request: OutgoingRequest) => Promise<Response>;

/** Chains middleware around the function that sends. The first is the outermost. */
export function chain(middleware: readonly Middleware[], send: Next, context: MiddlewareContext): Next {
  return middleware.reduceRight<Next>((next, around) => async (request) => around(request, next, context), send);
}
