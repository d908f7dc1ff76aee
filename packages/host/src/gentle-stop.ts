/** A connection, as far as it is ended here. */
interface Connection {
  readonly bytesRead: number;
  once(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

/** A server over HTTP, as Node makes it. */
export interface StoppableServer {
  on(event: "connection", listener: (connection: Connection) => void): unknown;
  close(closed: () => void): unknown;
  closeIdleConnections?(): void;
}

/**
 * Prepares a server for its end.
 *
 * A connection over which nothing was ever sent does not hold the end up: browsers and HTTP clients open some ahead of need,
 * and Node by itself counts them as busy for a minute.
 *
 * @returns a function that takes no more connections, and resolves once the requests under way have been answered
 */
export function gentleStop(server: StoppableServer): () => Promise<void> {
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
    // A connection is idle only after its last answer was written.
    const timer = setInterval(end, 10);
    await stopped;
    clearInterval(timer);
  };
}
