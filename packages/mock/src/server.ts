import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Handler } from "./front.ts";
import type { Incoming } from "./service.ts";

/** A handler at a port. */
export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves a handler at a port.
 * @param port 0 takes a free one
 * @throws the error of `listen`, such as one with the code `EADDRINUSE`
 */
export async function listen(handle: Handler, port: number, host: string): Promise<Listener> {
  const server = createServer((request, response) => void respond(handle, request, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return;
    const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nx-request-id: ${crypto.randomUUID()}\r\nConnection: close\r\n\r\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { port: portOf(server), close: () => close(server) };
}

async function respond(handle: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort(new Error("The caller went away.")));
  try {
    const answer = await handle(toIncoming(request, gone.signal));
    // A body that nobody read would block the connection's next request.
    request.resume();
    response.writeHead(answer.status, [...answer.headers].flat());
    await send(answer, response, gone.signal);
  } catch {
    // Nothing has been said, or it broke off in the middle: either way the caller must see a broken connection.
    response.destroy();
  }
}

function toIncoming(request: IncomingMessage, signal: AbortSignal): Incoming {
  const headers = new Headers();
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    headers.append(request.rawHeaders[i] ?? "", request.rawHeaders[i + 1] ?? "");
  }
  return { method: request.method ?? "GET", url: urlOf(request.url ?? "/"), headers, body: request, signal };
}

/** The whole address. A path may begin with two slashes, and a request may name another host: neither changes where it came. */
function urlOf(target: string): string {
  if (target.startsWith("/")) return `http://127.0.0.1${target}`;
  const { pathname, search } = new URL(target, "http://127.0.0.1");
  return `http://127.0.0.1${pathname}${search}`;
}

async function send(answer: Response, response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    response.end(answer.body ? new Uint8Array(await answer.arrayBuffer()) : undefined);
    return;
  }
  response.flushHeaders();
  const reader = answer.body?.getReader();
  gone.addEventListener("abort", () => void reader?.cancel());
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    if (!response.write(part.value)) await once(response, "drain", { signal: gone });
  }
  response.end();
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
