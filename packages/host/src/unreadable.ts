import type { Duplex } from "node:stream";
import type { ServerType } from "@hono/node-server";
import type { Host } from "./host.ts";

const answers: Record<string, readonly [status: number, reason: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long."],
};

/**
 * Responds to a request that cannot be parsed. Its path is unknown, so the response has the form of the document at the
 * root.
 */
export function answerUnreadable(server: ServerType, unreadable: Host["unreadable"]): void {
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
export async function writeUnreadable(code: string, socket: Duplex, unreadable: Host["unreadable"]): Promise<void> {
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
