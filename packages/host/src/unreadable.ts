import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Host } from "./host.ts";
import type { Patience } from "./listen.ts";

/** The bytes of headers that are read: above the limit of each host, which answers below it. */
export const largestHeaders: number = 128 * 2 ** 10;

type UnreadableAnswer = readonly [status: number, reason: string, message: string];

const answers: Readonly<Record<string, UnreadableAnswer>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", `The headers are larger than ${largestHeaders} bytes.`],
};

/** A request that was not received in time, with the limits. */
function lateAnswer({ withoutKeyMs, withKeyMs }: Required<Patience>): UnreadableAnswer {
  const message = `Headers, and a body without a valid key, may take ${withoutKeyMs / 1000} seconds, and a request ${withKeyMs / 1000}: this one took longer.`;
  return [408, "Request Timeout", message];
}

/**
 * Responds to a request that cannot be parsed. Its path is unknown, so the response has the form of the document at the
 * root.
 */
export function answerUnreadable(server: Server, unreadable: Host["unreadable"], patience: Required<Patience>): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    // The client is gone.
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
    const answer = isLate ? lateAnswer(patience) : (answers[error.code ?? ""] ?? notHttp);
    void writeUnreadable(answer, socket, unreadable);
  });
}

const notHttp = [400, "Bad Request", "This is not an HTTP request."] as const;

/** Sends a response on a connection, and ends it. */
async function writeUnreadable(
  [status, reason, message]: UnreadableAnswer,
  socket: Duplex,
  unreadable: Host["unreadable"],
): Promise<void> {
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
  readonly patience: Required<Patience>;
  readonly unreadable: Host["unreadable"];
}

/**
 * Ends a request whose body is not received in time: otherwise a client without a key could hold any number of connections.
 *
 * @returns a function that extends the limit to that of the port, for a client with a valid key
 */
export function endSlowBody({ incoming, outgoing, patience, unreadable }: SlowBody): () => void {
  const { headers, socket } = incoming;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return () => undefined;
  const timer = setTimeout(() => {
    if (incoming.complete) return;
    if (outgoing.headersSent) socket.destroy();
    else void writeUnreadable(lateAnswer(patience), socket, unreadable);
  }, patience.withoutKeyMs).unref();
  const settle = (): void => clearTimeout(timer);
  // A request that was rejected early still has this limit.
  outgoing.once("close", () => {
    if (incoming.complete) settle();
  });
  return settle;
}
