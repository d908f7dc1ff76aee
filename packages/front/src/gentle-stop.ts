import type { Server, Socket } from "node:net";

/** A server over HTTP, as Node makes it. */
export type StoppableServer = Server & { closeIdleConnections?(): void };

/**
 * Prepares a server for its end.
 *
 * A connection over which nothing was ever sent does not hold the end up: browsers and HTTP clients open some ahead of need,
 * and Node by itself counts them as busy for a minute.
 *
 * @returns a function that takes no more connections, and resolves once the requests under way have been answered
 */
export function gentleStop(server: StoppableServer): () => Promise<void> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return async () => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    const end = (): void => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      server.closeIdleConnections?.();
    };
    end();
    // A connection is idle only after its last answer was written.
    const timer = setInterval(end, 10);
    await stopped;
    clearInterval(timer);
  };
}
