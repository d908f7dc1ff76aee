import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Host } from "./host.ts";

const answers: Record<string, readonly [status: number, reason: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long."],
};

/**
 * Responds to a request that cannot be parsed. Its path is unknown, so the response has the form of the document at the
 * root.
 */
export function answerUnreadable(server: Server, unreadable: Host["unreadable"]): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    // The client is gone.
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    void writeUnreadable(error.code ?? "", socket, unreadable);
  });
}

/** Sends a response on a connection, and ends it. */
async function writeUnreadable(code: string, socket: Duplex, unreadable: Host["unreadable"]): Promise<void> {
  const [status, reason, message] = answers[code] ?? [400, "Bad Request", "This is not an HTTP request."];
  const response = await unreadable(status, message);
  const body = await response.text();
  const headers = {
    ...Object.fromEntries(response.headers),
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** Why the address of a request cannot be read, as a sentence. */
export function addressFault(error: unknown): string {
  if (/host/i.test(String(error))) return "The header Host must be the name of one host, as in localhost:4010.";
  return "The target of the request must be a path, such as /v1/health, without a backslash.";
}

/**
 * Tells a client that waits for it to send its body (`Expect: 100-continue`), once somebody reads the body. What is refused
 * unread is never sent, and its connection is closed, because the client may send it nevertheless.
 */
export function continueOnRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { shouldKeepAlive } = outgoing;
  const read = incoming._read.bind(incoming);
  outgoing.shouldKeepAlive = false;
  incoming._read = (size) => {
    incoming._read = read;
    if (!outgoing.headersSent) {
      outgoing.shouldKeepAlive = shouldKeepAlive;
      outgoing.writeContinue();
    }
    read(size);
  };
}

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
