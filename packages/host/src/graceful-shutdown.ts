import type { Socket } from "node:net";
import type { Server } from "node:http";

/** How long a stream that is cut has to send why. */
export const lastMs = 500;

/**
 * Prepares a server for a graceful stop.
 *
 * Unused connections do not delay the stop: browsers and HTTP clients open some in advance, and Node counts them as busy
 * for a minute.
 *
 * @returns a function that stops accepting connections, and resolves when the running requests have been answered; with a
 *   number of milliseconds, connections that are open then are cut, once their last words are sent
 */
export function gracefulShutdown(server: Server): (ms?: number) => Promise<void> {
  const open = new Set<Socket>();
  server.on("connection", (connection: Socket) => {
    open.add(connection);
    connection.once("close", () => open.delete(connection));
  });
  return async (ms) => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    const end = (): void => {
      for (const connection of open) if (connection.bytesRead === 0) connection.destroy();
      server.closeIdleConnections();
    };
    end();
    // A connection is idle only after its last response was written.
    const timer = setInterval(end, 10);
    const limit = ms === undefined ? undefined : setTimeout(() => server.closeAllConnections(), ms + lastMs);
    await stopped;
    clearInterval(timer);
    clearTimeout(limit);
  };
}
