import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A received request with its whole body. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server on a free port, closed when the test ends. */
export interface TestServer {
  url: string;
  received: Received[];
}

/** Serves with a function that sees the body and the number of the request, from 1. */
export async function serve(
  answer: (request: Received, response: ServerResponse, count: number) => void,
): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer(async (incoming: IncomingMessage, response) => {
    let body = "";
    for await (const piece of incoming.setEncoding("utf8")) body += piece;
    const request = { method: incoming.method ?? "", url: incoming.url ?? "", headers: incoming.headers, body };
    answer(request, response, received.push(request));
  });
  onTestFinished(() => server.closeAllConnections());
  return { url: await listen(server), received };
}

/** Serves with raw sockets, for responses that no HTTP server sends. */
export async function serveSockets(connected: (socket: Socket, count: number) => void): Promise<{ url: string }> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    // Wait for the request, or the client would see a connection that was never used.
    socket.once("data", () => connected(socket, ++count));
  });
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return { url: await listen(server) };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}
