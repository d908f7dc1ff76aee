/** The part of a connection that is needed to end it. */
interface Connection {
  readonly bytesRead: number;
  once(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

/** An HTTP server of Node. */
export interface StoppableServer {
  on(event: "connection", listener: (connection: Connection) => void): unknown;
  close(closed: () => void): unknown;
  closeIdleConnections?(): void;
}

/**
 * Prepares a server for a graceful stop.
 *
 * Unused connections do not delay the stop: browsers and HTTP clients open some in advance, and Node counts them as busy
 * for a minute.
 *
 * @returns a function that stops accepting connections, and resolves when the running requests have been answered
 */
export function gracefulShutdown(server: StoppableServer): () => Promise<void> {
  const open = new Set<Connection>();
  server.on("connection", (connection) => {
    open.add(connection);
    connection.once("close", () => open.delete(connection));
  });
  return async () => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    const end = (): void => {
      for (const connection of open) if (connection.bytesRead === 0) connection.destroy();
      server.closeIdleConnections?.();
    };
    end();
    // A connection is idle only after its last response was written.
    const timer = setInterval(end, 10);
    await stopped;
    clearInterval(timer);
  };
}
