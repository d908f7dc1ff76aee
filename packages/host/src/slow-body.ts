import type { IncomingMessage } from "node:http";
import type { Host } from "./host.ts";
import { writeUnreadable } from "./unreadable.ts";

/** A request whose body may come slowly. */
interface SlowBody {
  readonly incoming: Pick<IncomingMessage, "complete" | "headers" | "socket">;
  readonly outgoing: { readonly headersSent: boolean; once(event: "close", listener: () => void): unknown };
  /** How long is waited for it, in milliseconds. */
  readonly ms: number;
  readonly unreadable: Host["unreadable"];
}

/**
 * Ends a request whose body has not come in time: else who has no key could keep any number of connections.
 *
 * @returns a function that lets it take as long as the port allows: its sender has a key
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
  // One that was refused before its end goes on being waited for.
  outgoing.once("close", () => {
    if (incoming.complete) settle();
  });
  return settle;
}
