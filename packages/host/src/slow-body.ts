import type { IncomingMessage } from "node:http";
import type { Host } from "./host.ts";
import { writeUnreadable } from "./unreadable.ts";

/** A request whose body may arrive slowly. */
interface SlowBody {
  readonly incoming: Pick<IncomingMessage, "complete" | "headers" | "socket">;
  readonly outgoing: { readonly headersSent: boolean; once(event: "close", listener: () => void): unknown };
  /** The time limit for the body, in milliseconds. */
  readonly ms: number;
  readonly unreadable: Host["unreadable"];
}

/**
 * Ends a request whose body is not received in time: otherwise a client without a key could hold any number of connections.
 *
 * @returns a function that extends the limit to that of the port, for a client with a valid key
 */
export function endSlowBody({ incoming, outgoing, ms, unreadable }: SlowBody): () => void {
  const { headers, socket } = incoming;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return () => undefined;
  const timer = setTimeout(() => {
    if (incoming.complete) return;
    if (outgoing.headersSent) socket.destroy();
    else void writeUnreadable("ERR_HTTP_REQUEST_TIMEOUT", socket, unreadable);
  }, ms).unref();
  const settle = (): void => clearTimeout(timer);
  // A request that was rejected early still has this limit.
  outgoing.once("close", () => {
    if (incoming.complete) settle();
  });
  return settle;
}
