import type { Duplex } from "node:stream";
import type { ServerType } from "@hono/node-server";

const answers: Record<string, readonly [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not come to its end."],
};

/** Answers what cannot be read as a request. No path is known of it, so it is in the words of the service at the root. */
export function answerUnreadable(server: ServerType): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Who went does not listen.
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, detail] = answers[error.code ?? ""] ?? ["400 Bad Request", "This is no HTTP request."];
    const body = JSON.stringify({ detail });
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
